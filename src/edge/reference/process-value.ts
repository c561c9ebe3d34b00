/** A value that a separate process makes once, on first request. Its memory is returned to the system when it ends. */
import { fork } from 'node:child_process';

/** More than a process has ever needed, and little enough that nothing else suffers. */
const FLAGS = ['--disable-sigusr1', '--max-old-space-size=128'];
/** A failure is returned to all requests within this time, so that requests cannot start process after process. */
const FAILED_MS = 5_000;

export class ProcessValue<Made> {
  readonly #file: URL;
  readonly #data: object;
  #made: Promise<Made> | undefined;

  /** The process gets the data as its first message, sends what it has made, and ends. */
  constructor(file: URL, data: object = {}) {
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
      const child = fork(this.#file, [], {
        execArgv: FLAGS,
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        serialization: 'advanced',
      });
      child.once('message', (made) => {
        child.kill();
        resolve(made as Made);
      });
      child.once('error', reject);
      child.once('exit', () => reject(new Error('The process has ended and made nothing.')));
      child.send(this.#data, (error) => {
        if (error) reject(error);
      });
      child.unref();
      child.channel?.unref();
    });
  }
}

/** In the process: makes the value and sends it. */
export function sendMade<Data, Made>(make: (data: Data) => Made): void {
  process.once('message', (data) => process.send?.(make(data as Data)));
  // The service is gone.
  process.once('disconnect', () => process.exit());
}
