/** Refused requests until they are written, limited for each key and in all, so that no client can fill the memory or the disk with them. */
import type { RefusedRequest } from '../../store/promises/requests.ts';

const MAX_OF_KEY = 200;
const MAX_WAITING = 1_000;

export class WaitingRefusals {
  readonly #waiting: RefusedRequest[] = [];
  readonly #ofKeys = new Map<string | null, number>();

  get size(): number {
    return this.#waiting.length;
  }

  /** Whether there is room for another one of this key. */
  takes(key: string | null): boolean {
    return this.#waiting.length < MAX_WAITING && (this.#ofKeys.get(key) ?? 0) < MAX_OF_KEY;
  }

  add(request: RefusedRequest): void {
    this.#waiting.push(request);
    this.#ofKeys.set(request.key, (this.#ofKeys.get(request.key) ?? 0) + 1);
  }

  /** The first ones, up to that number. They still count until they are removed. */
  first(most: number): readonly RefusedRequest[] {
    return this.#waiting.slice(0, most);
  }

  removeFirst(count: number): void {
    for (const { key } of this.#waiting.splice(0, count)) {
      const left = (this.#ofKeys.get(key) ?? 0) - 1;
      if (left > 0) this.#ofKeys.set(key, left);
      else this.#ofKeys.delete(key);
    }
  }
}
