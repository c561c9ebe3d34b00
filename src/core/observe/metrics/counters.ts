/** What is counted as it happens, but for requests. */
import type { Registry } from 'prom-client';
import type { Observer } from '../observers.ts';
import { by, metricsIn } from './collectors.ts';
import { MAX_LABELS } from './figures.ts';
import { Histogram } from './histogram.ts';

const MS_PER_SECOND = 1000;
const DRAFTS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const DISK_SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
];
const SIGN_INS = {
  method: ['password', 'passkey', 'single_sign_on'],
  outcome: ['succeeded', 'failed', 'limited'],
};
const OTHERS = 'others';

/** Labels that are shown from the start: a rise from nothing to one is only seen from a zero. */
export interface Zeros {
  /** Why connections are refused. */
  readonly reasons: readonly string[];
  /** The resources that retention rules can be about. */
  readonly aging: readonly string[];
}

export function countEvents(registry: Registry, { reasons, aging }: Zeros): Omit<Observer, 'show'> {
  const { counter, histogram } = metricsIn(registry);
  const [drafts, commits, checkpoints] = [DRAFTS, DISK_SECONDS, DISK_SECONDS].map(
    (bounds) => new Histogram(bounds),
  ) as [Histogram, Histogram, Histogram];
  const refused = new Map(reasons.map((reason) => [reason, 0]));
  const aged = new Map(aging.map((resource) => [resource, 0]));
  const signIns = new Map(
    SIGN_INS.method.flatMap((method) =>
      SIGN_INS.outcome.map((outcome) => [`${method} ${outcome}`, 0] as const),
    ),
  );
  const tries = new Map<string, Map<string, number>>();
  let failures = 0;

  histogram('ledgerstone_commit_drafts', 'Drafts handed to the store for one commit.', () => [
    [{}, drafts],
  ]);
  histogram(
    'ledgerstone_commit_duration_seconds',
    'From handing drafts to the store until they are on disk, or could not be committed.',
    () => [[{}, commits]],
  );
  histogram(
    'ledgerstone_checkpoint_duration_seconds',
    'Time to move a piece of the write-ahead log into the database.',
    () => [[{}, checkpoints]],
  );
  counter(
    'ledgerstone_retention_removed_total',
    'Records that retention rules have removed, by resource.',
    () => by('resource', aged),
  );
  counter(
    'ledgerstone_connections_refused_total',
    'Connections refused or closed, by reason.',
    () => by('reason', refused),
  );
  counter(
    'ledgerstone_authentication_failures_total',
    'Requests without a valid key, where one was needed.',
    () => failures,
  );
  counter(
    'ledgerstone_sign_ins_total',
    'Sign-ins of people to the console; outcome is succeeded, failed, or limited where too many had failed.',
    () =>
      Array.from(signIns, ([name, value]) => {
        const [method = '', outcome = ''] = name.split(' ');
        return { labels: { method, outcome }, value };
      }),
  );
  counter(
    'ledgerstone_webhook_tries_total',
    'Attempts to deliver a notification, by endpoint and outcome: delivered or failed.',
    () =>
      [...tries].flatMap(([endpoint, counts]) =>
        Array.from(counts, ([outcome, value]) => ({ labels: { endpoint, outcome }, value })),
      ),
  );
  return {
    committed(count, durationMs) {
      drafts.observe(count);
      commits.observe(durationMs / MS_PER_SECOND);
    },
    checkpointed: (durationMs) => checkpoints.observe(durationMs / MS_PER_SECOND),
    aged: (resource) => add(aged, resource),
    connectionRefused: (reason) => add(refused, reason),
    authenticationFailed() {
      failures += 1;
    },
    signedIn: (method, outcome) => add(signIns, `${method} ${outcome}`),
    notified(endpoint, outcome) {
      const name = tries.has(endpoint) || tries.size < MAX_LABELS ? endpoint : OTHERS;
      const zeros = () => new Map([...['delivered', 'failed'].map((one) => [one, 0] as const)]);
      add(tries.getOrInsertComputed(name, zeros), outcome);
    },
  };
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
