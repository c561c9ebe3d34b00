/** The writing thread, as the serving thread sees it. */
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from 'node:worker_threads';
import { ApiError } from '../../../core/errors.ts';
import { StoreUnavailable, StoreUnsure } from '../../promises/store.ts';
import type { WriterData, WriterFailure, WriterReply, WriterRequest } from './writer-thread.ts';

export class Writer {
  readonly #worker: Worker;
  readonly #gone: Promise<void>;
  readonly #port: MessagePort;
  /** How many replies the thread says that it has sent, and how many were taken. */
  readonly #sent = new Int32Array(new SharedArrayBuffer(4));
  #taken = 0;
  readonly #now: () => number;
  readonly #onWrite: () => void;
  /** The calls in the order of requests, which is that of replies. */
  readonly #pending: PromiseWithResolvers<unknown>[] = [];
  #closing = false;

  /**
   * `onWrite` is called for what was written, before it is reported; `onRemoved` when something was removed and swept.
   */
  constructor(
    data: Omit<WriterData, 'port' | 'sent'>,
    now: () => number,
    { onWrite, onRemoved }: { onWrite: () => void; onRemoved: () => void },
  ) {
    this.#now = now;
    this.#onWrite = onWrite;
    const { port1, port2 } = new MessageChannel();
    const workerData: WriterData = { ...data, port: port2, sent: this.#sent };
    this.#worker = new Worker(new URL('./writer-thread.ts', import.meta.url), {
      workerData,
      transferList: [port2],
    });
    this.#worker.on('message', onRemoved);
    this.#port = port1;
    port1.on('message', (reply: WriterReply) => this.#replied(reply));
    this.#gone = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
    // Only waiting requests keep the process running.
    port1.unref();
    this.#worker.unref();
  }

  /** The result of a method of the thread. Calls run in the order in which they are made. */
  call<Result>(method: string, ...values: readonly unknown[]): Promise<Result> {
    if (this.#closing) return Promise.reject(new StoreUnavailable('The store is closed.'));
    return this.#call(method, values) as Promise<Result>;
  }

  /**
   * Takes the replies that have arrived without waiting for the event loop,
   * which takes long to reach them with thousands of busy connections.
   */
  poll(): void {
    while (Atomics.load(this.#sent, 0) !== this.#taken) {
      const received: { message: WriterReply } | undefined = receiveMessageOnPort(this.#port);
      if (received === undefined) return;
      this.#replied(received.message);
    }
  }

  /** Lets the thread finish its requests, and waits until it has ended. */
  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    await this.#call('close', []);
    this.#worker.ref();
    await this.#gone;
  }

  #call(method: string, values: readonly unknown[]): Promise<unknown> {
    if (this.#pending.length === 0) this.#port.ref();
    const call = Promise.withResolvers<unknown>();
    this.#pending.push(call);
    this.#port.postMessage({ now: this.#now(), method, values } satisfies WriterRequest);
    return call.promise;
  }

  #replied({ result, failure, wrote }: WriterReply): void {
    this.#taken = (this.#taken + 1) | 0;
    const call = this.#pending.shift();
    if (this.#pending.length === 0) this.#port.unref();
    if (wrote) this.#onWrite();
    if (failure === undefined) call?.resolve(result);
    else call?.reject(errorOf(failure));
  }
}

function errorOf(failure: WriterFailure): unknown {
  switch (failure.is) {
    case 'unavailable':
    case 'unsure': {
      const { is, message, errcode } = failure;
      const cause = new Error('SQLite gave an error in the writing thread.');
      const Failure = is === 'unsure' ? StoreUnsure : StoreUnavailable;
      return new Failure(message, { cause: Object.assign(cause, { errcode }) });
    }
    case 'api':
      return new ApiError(failure.faults);
    case 'other':
      return failure.error;
  }
}
