/** Delays a bounded number of answers, so that clients gain nothing by retrying faster. */
import type { Socket } from 'node:net';

export class DelayedAnswers {
  readonly #most: number;
  /** One answer per connection, whose next request begins only after it. */
  readonly #bySocket = new Map<Socket, { timer: NodeJS.Timeout; answer: () => void }>();

  /** Delays at most `most` answers at a time. */
  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    return this.#bySocket.size;
  }

  has(socket: Socket): boolean {
    return this.#bySocket.has(socket);
  }

  /**
   * Calls `answer` after this many milliseconds, or sooner if the connection is released or ends. Returns `false` if
   * too many answers are delayed: the connection should be closed after this one.
   */
  hold(socket: Socket, ms: number, answer: () => void): boolean {
    if (this.#bySocket.size >= this.#most) return false;
    const release = (): void => this.release(socket);
    socket.once('close', release);
    this.#bySocket.set(socket, {
      timer: setTimeout(release, ms),
      answer: () => {
        socket.off('close', release);
        answer();
      },
    });
    return true;
  }

  release(socket: Socket): void {
    const one = this.#bySocket.get(socket);
    if (one === undefined) return;
    this.#bySocket.delete(socket);
    clearTimeout(one.timer);
    one.answer();
  }
}
