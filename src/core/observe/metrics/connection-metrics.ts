/** The metrics of connections and of failed authentications. */
import type { Registry } from 'prom-client';
import type { ConnectionObserver, FailureObserver } from '../observers.ts';
import { by, Later, metricsIn } from './collectors.ts';

/** `reasons` are shown from the start: a rise from nothing to one is only seen from a zero. */
export function observeConnections(
  registry: Registry,
  reasons: readonly string[],
): ConnectionObserver {
  const { counter, gauge } = metricsIn(registry);
  const refused = new Map(reasons.map((reason) => [reason, 0]));
  const connections = new Later<{ readonly keyed: number; readonly keyless: number }>();

  gauge(
    'ledgerstone_connections',
    'Open connections; state is keyed if they have carried a valid key, else keyless.',
    async () => {
      const { keyed = 0, keyless = 0 } = (await connections.now()) ?? {};
      return by('state', Object.entries({ keyed, keyless }));
    },
    'sum',
  );
  counter(
    'ledgerstone_connections_refused_total',
    'Connections refused or closed, by reason.',
    () => by('reason', refused),
  );
  return {
    connections: connections.give,
    connectionRefused(reason) {
      refused.set(reason, (refused.get(reason) ?? 0) + 1);
    },
  };
}

export function observeFailures(registry: Registry): FailureObserver {
  const { counter, gauge } = metricsIn(registry);
  const delayed = new Later<number>();
  let failures = 0;

  counter(
    'ledgerstone_authentication_failures_total',
    'Requests without a valid key, where one was needed.',
    () => failures,
  );
  gauge(
    'ledgerstone_authentication_failures_held',
    'Answers to them that are delayed, because their address keeps failing.',
    async () => (await delayed.now()) ?? 0,
    'sum',
  );
  return {
    delayed: delayed.give,
    failed() {
      failures += 1;
    },
  };
}
