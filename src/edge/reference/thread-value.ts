/** A value that a separate thread makes once, on first request, without blocking the serving thread. */
import { Worker } from 'node:worker_threads';

/** More than a thread has ever needed, and little enough that nothing else suffers. */
const LIMITS = { maxOldGenerationSizeMb: 128 };
/** A failure is returned to all requests within this time, so that requests cannot start thread after thread. */
const FAILED_MS = 5_000;

export class ThreadValue<Made> {
  readonly #file: URL;
  readonly #data: unknown;
  #made: Promise<Made> | undefined;

  /** The thread posts what it has made, and ends. */
  constructor(file: URL, data?: unknown) {
    this.#file = file;
    this.#data = data;
  }

  made(): Promise<Made> {
    if (this.#made === undefined) {
      this.#made = this.#make();
      this.#made.catch(() => {
        setTimeout(() => {
          this.#made = undefined;
        }, FAILED_MS).unref();
      });
    }
    return this.#made;
  }

  #make(): Promise<Made> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(this.#file, { workerData: this.#data, resourceLimits: LIMITS });
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('The thread has ended and made nothing.')));
      worker.unref();
    });
  }
}
