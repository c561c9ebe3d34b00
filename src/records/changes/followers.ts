/**
 * Counts clients that follow the log of changes now, by a stream or a long poll, and how far behind they are; and
 * remembers how far each key has read.
 */
import type { FollowingKey } from '../../store/books/erasing/notes.ts';

/** Keys that are remembered until they are taken; more are not. */
const MAX_READ = 10_000;

export interface Follower {
  /** Notes the time of the oldest change that is being sent; `undefined`: the follower has all changes. */
  behind(since: number | undefined): void;
  leave(): void;
}

export class Followers {
  readonly #since = new Map<Follower, number | undefined>();
  #read = new Map<string, Omit<FollowingKey, 'at'>>();

  join(): Follower {
    const follower: Follower = {
      behind: (since) => {
        if (this.#since.has(follower)) this.#since.set(follower, since);
      },
      leave: () => {
        this.#since.delete(follower);
      },
    };
    this.#since.set(follower, undefined);
    return follower;
  }

  /** Notes the change after which a key reads. */
  reads(read: Omit<FollowingKey, 'at'>): void {
    const name = `${read.account} ${read.key}`;
    if (this.#read.size < MAX_READ || this.#read.has(name)) this.#read.set(name, read);
  }

  /** How far keys have read that have read since this was last called. */
  takeRead(at: number): readonly FollowingKey[] {
    const read = [...this.#read.values()].map((one) => ({ ...one, at }));
    this.#read = new Map();
    return read;
  }

  /** `since`: the time of the oldest change that some follower has not received yet. */
  get now(): { readonly count: number; readonly since: number | undefined } {
    let since: number | undefined;
    for (const one of this.#since.values()) {
      if (one !== undefined && (since === undefined || one < since)) since = one;
    }
    return { count: this.#since.size, since };
  }
}
