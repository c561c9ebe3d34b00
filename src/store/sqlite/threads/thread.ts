/** A thread that performs requests one after the other, as the thread that sends them sees it. */
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { StoreUnavailable, StoreUnsure } from '../../promises/store.ts';
import { CLOSE, errorOf, type Reply, type Request } from './performing.ts';

export interface ThreadOptions<Message> {
  readonly now?: () => number;
  readonly machine?: () => number;
  /** Ends the thread after this time without a request. */
  readonly idleMs?: number;
  /** Called with each message that is no reply. */
  readonly onMessage?: (message: Message) => void;
}

export type Thread = ReturnType<typeof createThread>;

/** The thread is started for a request if it is not running. Only waiting requests keep the process running. */
export function createThread<Message = never>(
  module: URL,
  data: object,
  {
    now = Date.now,
    machine = now,
    idleMs,
    onMessage = () => undefined,
  }: ThreadOptions<Message> = {},
) {
  type Running = ReturnType<typeof begin>;
  let running: Running | undefined;
  let idle: NodeJS.Timeout | undefined;
  let ending: Promise<void> | undefined;
  let closed = false;

  function begin() {
    const { port1: port, port2 } = new MessageChannel();
    const workerData = { ...data, port: port2 };
    const worker = new Worker(module, { workerData, transferList: [port2] });
    /** The requests in the order in which they were sent, which is that of replies. */
    const pending: PromiseWithResolvers<unknown>[] = [];
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    let cause: Error | undefined;
    worker.once('error', (error: Error) => {
      cause = error;
    });
    worker.once('exit', () => {
      // What it replied may have arrived together with its end.
      poll();
      running = undefined;
      port.close();
      const words = cause === undefined ? '' : `: ${cause.message}`;
      const failure = new StoreUnsure(`A thread of the store has ended${words}.`, { cause });
      for (const { reject } of pending) reject(failure);
      resolve();
    });
    worker.on('message', onMessage);
    port.on('message', take);
    port.unref();
    worker.unref();
    return { worker, port, pending, ended };
  }

  function post(
    { worker, port, pending }: Running,
    method: string,
    values: readonly unknown[] = [],
  ): Promise<unknown> {
    clearTimeout(idle);
    if (pending.length === 0) worker.ref();
    const sent = Promise.withResolvers<unknown>();
    pending.push(sent);
    port.postMessage({ method, values, now: now(), machine: machine() } satisfies Request);
    return sent.promise;
  }

  function take({ result, failure }: Reply): void {
    const sent = running?.pending.shift();
    if (running?.pending.length === 0 && ending === undefined) {
      running.worker.unref();
      if (idleMs !== undefined) idle = setTimeout(end, idleMs).unref();
    }
    if (failure === undefined) sent?.resolve(result);
    else sent?.reject(errorOf(failure));
  }

  /**
   * Takes the replies that have arrived without waiting for the event loop,
   * which takes long to reach them with thousands of busy connections.
   */
  function poll(): void {
    while (running !== undefined) {
      const received: { message: Reply } | undefined = receiveMessageOnPort(running.port);
      if (received === undefined) return;
      take(received.message);
    }
  }

  /**
   * The result of a method of the thread. Calls run in the order in which they are made. Rejects with `StoreUnsure`
   * where the thread ends before it has replied.
   */
  function call<Result>(method: string, ...values: readonly unknown[]): Promise<Result> {
    // Two threads of one process would share their locks on a file.
    if (ending !== undefined) return ending.then(() => call(method, ...values));
    if (closed) return Promise.reject(new StoreUnavailable('The store is closed.'));
    running ??= begin();
    return post(running, method, values) as Promise<Result>;
  }

  function end(): Promise<void> {
    if (running !== undefined && ending === undefined) {
      const { ended } = running;
      ending = post(running, CLOSE)
        .catch(() => undefined)
        .then(() => ended)
        .finally(() => {
          ending = undefined;
        });
    }
    return ending ?? Promise.resolve();
  }

  return {
    /** Starts the thread before its first request. */
    start(): void {
      running ??= begin();
    },
    call,
    poll,
    /** Lets the thread finish its requests, and waits until it has ended. */
    async close(): Promise<void> {
      closed = true;
      await end();
    },
  };
}
