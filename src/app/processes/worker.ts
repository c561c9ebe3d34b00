/** One of the processes that serve on one port: its messages from and to the primary. */
import cluster from 'node:cluster';
import type { PrimaryLog } from '../../core/observe/log.ts';
import type { Metrics } from '../../core/observe/metrics/metrics.ts';
import type { Figures } from '../../core/observe/metrics/together.ts';
import type { Spent, SpentExchange } from '../../edge/limits/key-limit.ts';

type Figured = Pick<Metrics, 'figures'>;

export type ServingWorker = Awaited<ReturnType<typeof joinAsWorker>>;

/** Waits for the first word of the primary. */
export async function joinAsWorker() {
  // Without it, Node ends the process, and all that it answers, as soon as the primary is gone.
  if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true;
  // A terminal or systemd may signal every process: the primary passes on what it means.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  const began = Promise.withResolvers<boolean>();
  const stopped = Promise.withResolvers<string>();
  let stopping = false;
  let counted: Figured | undefined;
  let take: (spent: readonly Spent[]) => void = () => {};

  const send = (message: FromWorker): void => {
    // A message to a primary that is gone needs no answer.
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  };
  const stop = (why: string): void => {
    stopping = true;
    stopped.resolve(why);
  };
  const exchange: SpentExchange = {
    send: (spent) => send({ kind: 'spent', spent }),
    receive(given) {
      take = given;
    },
  };

  process.on('message', async (message: ToWorker) => {
    if (message.kind === 'begin') began.resolve(message.isFirst);
    else if (message.kind === 'stop') stop('SIGTERM');
    else if (message.kind === 'spent') take(message.spent);
    else if (counted !== undefined) send({ kind: 'figures', figures: await counted.figures() });
  });
  process.once('disconnect', () => {
    // A second signal has ended the primary at once, or all is done.
    if (stopping) process.exit();
    stop('the primary process is gone');
  });
  return {
    /** One of them does and logs what only one should. */
    isFirst: await began.promise,
    exchange,
    /** Resolves when the primary wants it to stop, or is gone. */
    stopped: stopped.promise,
    /** Tells the primary that it serves, and from now on its figures, where they are counted. */
    started(at: Pick<Started, 'address' | 'place'>, metrics: Figured | undefined): void {
      counted = metrics;
      send({ kind: 'started', ...at });
    },
    leave(): void {
      if (process.connected) process.disconnect?.();
    },
  };
}

/** The log without what the primary says for all, or the first of them for the others. */
export function logOfWorker(log: PrimaryLog, isFirst: boolean): PrimaryLog {
  const nothing = (): void => {};
  const common = {
    ...log,
    listening: nothing,
    stopping: nothing,
    stopped: (unfinished?: string) => {
      if (unfinished !== undefined) log.stopped(unfinished);
    },
  };
  if (isFirst) return common;
  return {
    ...common,
    plainHttp: nothing,
    publicUrlUnset: nothing,
    connectionsShort: nothing,
    tls: { certificateRead: nothing, certificateRefused: nothing },
  };
}

export type ToWorker =
  | { readonly kind: 'begin'; readonly isFirst: boolean }
  | { readonly kind: 'figures' }
  | { readonly kind: 'spent'; readonly spent: readonly Spent[] }
  | { readonly kind: 'stop' };

/** A worker serves at that address, from that store. */
export interface Started {
  readonly kind: 'started';
  readonly address: string;
  readonly place: string;
}

export type FromWorker =
  | Started
  /** The answer to the same, where metrics are counted. */
  | { readonly kind: 'figures'; readonly figures: Figures }
  /** For all other workers. */
  | { readonly kind: 'spent'; readonly spent: readonly Spent[] };
