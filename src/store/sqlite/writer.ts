/** The thread that writes, as the thread that serves sees it. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ApiError } from '../../errors.ts';
import { StoreUnavailable } from '../store.ts';
import type { WriterData, WriterFailure, WriterReply, WriterRequest } from './writer-thread.ts';

interface Asked {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export class Writer {
  readonly #worker: Worker;
  readonly #now: () => number;
  readonly #onWrite: () => void;
  readonly #asked = new Map<number, Asked>();
  #count = 0;
  #closing = false;

  /** `onWrite` is called for what was written, before it is told. */
  constructor(data: WriterData, now: () => number, onWrite: () => void) {
    this.#now = now;
    this.#onWrite = onWrite;
    this.#worker = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData: data });
    this.#worker.on('message', (reply: WriterReply) => this.#replied(reply));
    // Only requests that wait for it keep the process running.
    this.#worker.unref();
  }

  /** What a method of the thread gives. Requests are carried out in the order in which they are made. */
  call<Result>(method: string, ...values: readonly unknown[]): Promise<Result> {
    if (this.#closing) return Promise.reject(new StoreUnavailable('The store is closed.'));
    return this.#call(method, values) as Promise<Result>;
  }

  /** Lets the thread end what it was asked for before, and waits until it is gone. */
  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    const gone = once(this.#worker, 'exit');
    await this.#call('close', []);
    this.#worker.ref();
    await gone;
  }

  #call(method: string, values: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#count += 1;
      const id = this.#count;
      if (this.#asked.size === 0) this.#worker.ref();
      this.#asked.set(id, { resolve, reject });
      const request: WriterRequest = { id, now: this.#now(), method, values };
      this.#worker.postMessage(request);
    });
  }

  #replied({ id, result, failure, wrote }: WriterReply): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (this.#asked.size === 0) this.#worker.unref();
    if (wrote) this.#onWrite();
    if (failure === undefined) asked?.resolve(result);
    else asked?.reject(errorOf(failure));
  }
}

function errorOf(failure: WriterFailure): unknown {
  switch (failure.is) {
    case 'unavailable': {
      const { message, errcode } = failure;
      const cause = Object.assign(new Error('SQLite gave an error in the writing thread.'), {
        errcode,
      });
      return new StoreUnavailable(message, { cause });
    }
    case 'api':
      return new ApiError(failure.faults);
    case 'other':
      return failure.error;
  }
}
