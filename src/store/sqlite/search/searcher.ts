/**
 * The serving thread's side of the search thread, which it starts with the first request, and again if it has ended.
 */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type {
  NearQuery,
  Scan,
  ScanQuery,
  SearchHits,
  SearchIndex,
  SearchLag,
  SearchQuery,
} from '../../promises/search.ts';
import { StoreUnavailable } from '../../promises/store.ts';
import type { SearchCall, SearchData, SearchReply } from './messages.ts';

interface PendingCall {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly gone: Promise<void>;
  /** In the order of requests, which is that of replies. */
  readonly pending: PendingCall[];
}

export class Searcher implements SearchIndex {
  readonly #data: Omit<SearchData, 'port'>;
  #thread: Thread | undefined;
  #closed = false;

  constructor(data: Omit<SearchData, 'port'>) {
    this.#data = data;
  }

  find({ shape, ...query }: SearchQuery): Promise<SearchHits> {
    return this.#call({ method: 'find', query, resource: shape.resource });
  }

  findNear({ shape, ...query }: NearQuery): Promise<readonly string[]> {
    return this.#call({ method: 'findNear', query, resource: shape.resource });
  }

  has(account: string, records: readonly string[]): Promise<number> {
    return this.#call({ method: 'has', account, records });
  }

  scan(query: ScanQuery): Promise<Scan> {
    return this.#call({ method: 'scan', query });
  }

  lag(accounts?: readonly string[]): Promise<SearchLag> {
    return this.#call({ method: 'lag', accounts });
  }

  feed(): Promise<boolean> {
    return this.#call({ method: 'feed' });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    const thread = this.#thread;
    if (thread !== undefined) {
      // Its end is awaited, so it must keep the process running until then.
      thread.worker.ref();
      await this.#call({ method: 'close' }).catch(() => undefined);
      await thread.gone;
    }
    this.#closed = true;
  }

  #call<Result>(request: SearchCall): Promise<Result> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('The store is closed.'));
    this.#thread ??= this.#begin();
    const { port, pending } = this.#thread;
    return new Promise((resolve, reject) => {
      if (pending.length === 0) port.ref();
      pending.push({ resolve: resolve as PendingCall['resolve'], reject });
      port.postMessage(request);
    });
  }

  #begin(): Thread {
    const { port1, port2 } = new MessageChannel();
    const workerData: SearchData = { ...this.#data, port: port2 };
    const worker = new Worker(new URL('./search-thread.ts', import.meta.url), {
      workerData,
      transferList: [port2],
    });
    const pending: PendingCall[] = [];
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
      this.#thread = undefined;
      port1.close();
      for (const { reject } of pending.splice(0)) reject(new StoreUnavailable(why));
    };
    port1.on('message', ({ result, failure }: SearchReply) => {
      const first = pending.shift();
      if (pending.length === 0) port1.unref();
      if (failure === undefined) first?.resolve(result);
      else first?.reject(new StoreUnavailable(`The index of search gave an error: ${failure}`));
    });
    // Only waiting requests keep the process running.
    port1.unref();
    worker.unref();
    return { worker, port: port1, gone, pending };
  }
}
