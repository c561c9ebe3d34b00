/** The metrics of connections and of failed authentications. */
import type { Registry } from 'prom-client';
import type { ConnectionObserver, FailureObserver } from '../observers.ts';
import { show } from './collectors.ts';

/** `reasons` are shown from the start: a rise from nothing to one is only seen from a zero. */
export function observeConnections(
  registry: Registry,
  reasons: readonly string[],
): ConnectionObserver {
  const refused = new Map(reasons.map((reason) => [reason, 0]));
  let countConnections = () => ({ keyed: 0, keyless: 0 });

  show(
    registry,
    {
      name: 'ledgerstone_connections',
      help: 'Open connections; state is keyed if they have carried a valid key, else keyless.',
      type: 'gauge',
      together: 'sum',
    },
    () => {
      const { keyed, keyless } = countConnections();
      return [
        { labels: { state: 'keyed' }, value: keyed },
        { labels: { state: 'keyless' }, value: keyless },
      ];
    },
  );
  show(
    registry,
    {
      name: 'ledgerstone_connections_refused_total',
      help: 'Connections refused or closed, by reason.',
      type: 'counter',
    },
    () => Array.from(refused, ([reason, value]) => ({ labels: { reason }, value })),
  );
  return {
    connections(count) {
      countConnections = count;
    },
    connectionRefused(reason) {
      refused.set(reason, (refused.get(reason) ?? 0) + 1);
    },
  };
}

export function observeFailures(registry: Registry): FailureObserver {
  let failures = 0;
  let countHeld = (): number => 0;

  show(
    registry,
    {
      name: 'ledgerstone_authentication_failures_total',
      help: 'Requests without a valid key, where one was needed.',
      type: 'counter',
    },
    () => [{ labels: {}, value: failures }],
  );
  show(
    registry,
    {
      name: 'ledgerstone_authentication_failures_held',
      help: 'Answers to them that are delayed, because their address keeps failing.',
      type: 'gauge',
      together: 'sum',
    },
    () => [{ labels: {}, value: countHeld() }],
  );
  return {
    delayed(count) {
      countHeld = count;
    },
    failed() {
      failures += 1;
    },
  };
}
