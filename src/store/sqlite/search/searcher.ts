/**
 * The serving thread's side of the search thread, which it starts for a request, and ends when there was none for a
 * while: a service that has nothing to do has its memory back.
 */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { RecordShape } from '../../../core/schema/shape.ts';
import type { SearchIndex } from '../../promises/search.ts';
import { StoreUnavailable } from '../../promises/store.ts';
import type { OpenedFile } from '../file/file-places.ts';

export interface SearchData {
  /** The port for requests and replies. */
  readonly port: MessagePort;
  readonly path: string;
  readonly files: readonly OpenedFile[];
  readonly shapes: readonly RecordShape[];
  /** Days. */
  readonly historyDays: number;
}

/** A method of the thread, and its arguments. */
export interface SearchCall {
  readonly method: string;
  readonly values: readonly unknown[];
}

/** Each request gets a reply, in order. */
export interface SearchReply {
  readonly result?: unknown;
  /** The failure, in words. */
  readonly failure?: string;
}

interface Thread {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly gone: Promise<void>;
  /** The calls in the order of requests, which is that of replies. */
  readonly pending: PromiseWithResolvers<unknown>[];
}

/** The thread ends after this time without a request. */
const IDLE_MS = 20_000;

export interface SearcherOptions {
  /** A text that changes with each change of a record; `undefined` where that is not known. */
  readonly version?: () => string | undefined;
  readonly idleMs?: number;
}

export type Searcher = ReturnType<typeof createSearcher>;

export function createSearcher(
  data: Omit<SearchData, 'port'>,
  { version: versionNow = () => undefined, idleMs = IDLE_MS }: SearcherOptions,
): SearchIndex & { close(): Promise<void> } {
  /** The version of the store that the index has all of. */
  let fed: string | undefined;
  let working: Thread | undefined;
  let idle: NodeJS.Timeout | undefined;
  let ending: Promise<void> | undefined;
  let closed = false;

  function call<Result>(method: string, ...values: readonly unknown[]): Promise<Result> {
    // Two threads of one process would share their locks on the index.
    if (ending !== undefined) return ending.then(() => call(method, ...values));
    if (closed) return Promise.reject(new StoreUnavailable('The store is closed.'));
    working ??= begin();
    return send(working, { method, values });
  }

  function send<Result>({ port, pending }: Thread, request: SearchCall): Promise<Result> {
    clearTimeout(idle);
    if (pending.length === 0) port.ref();
    const sent = Promise.withResolvers<unknown>();
    pending.push(sent);
    port.postMessage(request);
    return sent.promise as Promise<Result>;
  }

  function end(): Promise<void> {
    const thread = working;
    if (ending !== undefined || thread === undefined) return ending ?? Promise.resolve();
    // Its end is awaited, so it must keep the process running until then.
    thread.worker.ref();
    ending = send(thread, { method: 'close', values: [] })
      .catch(() => undefined)
      .then(() => thread.gone)
      .then(() => {
        ending = undefined;
      });
    return ending;
  }

  function begin(): Thread {
    const { port1, port2 } = new MessageChannel();
    const workerData: SearchData = { ...data, port: port2 };
    const worker = new Worker(new URL('./search-thread.ts', import.meta.url), {
      workerData,
      transferList: [port2],
    });
    const pending: Thread['pending'] = [];
    const gone = new Promise<void>((resolve) => {
      worker.once('error', (error: unknown) =>
        fail(error instanceof Error ? error.message : String(error)),
      );
      worker.once('exit', () => {
        fail('The thread of search has ended.');
        resolve();
      });
    });
    const fail = (why: string): void => {
      working = undefined;
      if (ending === undefined) fed = undefined;
      port1.close();
      for (const { reject } of pending.splice(0)) reject(new StoreUnavailable(why));
    };
    port1.on('message', ({ result, failure }: SearchReply) => {
      const first = pending.shift();
      if (pending.length === 0) {
        port1.unref();
        idle = setTimeout(() => end(), idleMs).unref();
      }
      if (failure !== undefined) fed = undefined;
      if (failure === undefined) first?.resolve(result);
      else first?.reject(new StoreUnavailable(`The index of search gave an error: ${failure}`));
    });
    // Only waiting requests keep the process running.
    port1.unref();
    worker.unref();
    return { worker, port: port1, gone, pending };
  }

  return {
    find: (query) => call('find', query),
    findNear: (query) => call('findNear', query),
    has: (account, records) => call('has', account, records),
    scan: (query) => call('scan', query),
    async lag(accounts) {
      if (fed !== undefined && versionNow() === fed) return { building: 0, since: undefined };
      return call('lag', accounts);
    },
    /** Asks the thread only where a record has changed since the index had all. */
    async feed() {
      const version = versionNow();
      if (version !== undefined && version === fed) return false;
      const more = await call<boolean>('feed');
      fed = more ? undefined : version;
      return more;
    },
    async close() {
      closed = true;
      await end();
    },
  };
}
