/** One of the processes that serve on one port: its messages from and to the primary. */
import cluster from 'node:cluster';
import type { PrimaryLog } from '../../core/observe/log.ts';
import type { Metrics } from '../../core/observe/metrics/metrics.ts';
import type { Spent, SpentExchange } from '../../edge/limits/key-limits.ts';
import type { FromWorker, Started, ToWorker } from './messages.ts';

type Figured = Pick<Metrics, 'figures'>;

export interface ServingWorker {
  /** One of them does and logs what only one should. */
  readonly isFirst: boolean;
  readonly exchange: SpentExchange;
  /** Resolves when the primary wants it to stop, or is gone. */
  readonly stopped: Promise<string>;
  /** Tells the primary that it serves, and from now on its figures, where they are counted. */
  started(at: Pick<Started, 'address' | 'place'>, metrics: Figured | undefined): void;
  /** Lets the process end. */
  leave(): void;
}

/** Waits for the first word of the primary. */
export function joinAsWorker(): Promise<ServingWorker> {
  // Without it, Node ends the process, and all that it answers, as soon as the primary is gone.
  if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true;
  // A terminal or systemd may signal every process: the primary passes on what it means.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  const began = Promise.withResolvers<ServingWorker>();
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
  const worker: Omit<ServingWorker, 'isFirst'> = {
    exchange: {
      send: (spent) => send({ kind: 'spent', spent }),
      receive(given) {
        take = given;
      },
    },
    stopped: stopped.promise,
    started(at, metrics) {
      counted = metrics;
      send({ kind: 'started', ...at });
    },
    leave() {
      if (process.connected) process.disconnect?.();
    },
  };
  process.on('message', async (message: ToWorker) => {
    if (message.kind === 'begin') began.resolve({ ...worker, isFirst: message.isFirst });
    else if (message.kind === 'stop') stop('SIGTERM');
    else if (message.kind === 'spent') take(message.spent);
    else if (counted !== undefined) send({ kind: 'figures', figures: await counted.figures() });
  });
  process.once('disconnect', () => {
    // A second signal has ended the primary at once, or all is done.
    if (stopping) process.exit();
    stop('the primary process is gone');
  });
  return began.promise;
}

/** The log without what the primary says for all, or the first of them for the others. */
export function logOfWorker(log: PrimaryLog, isFirst: boolean): PrimaryLog {
  const nothing = (): void => {};
  const common = {
    ...{ ...log, listening: nothing, stopping: nothing },
    stopped: (unfinished?: string) => {
      if (unfinished !== undefined) log.stopped(unfinished);
    },
  };
  if (isFirst) return common;
  return {
    ...common,
    plainHttp: nothing,
    connectionsShort: nothing,
    tls: { certificateRead: nothing, certificateRefused: nothing },
  };
}
