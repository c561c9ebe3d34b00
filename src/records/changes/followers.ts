/** Who follows the log of changes now, by a stream or a poll that waits, and how far behind they are. */

export interface Follower {
  /** It is being sent changes, the oldest of which was done at that time; `undefined`: it has all that there is. */
  behind(since: number | undefined): void;
  leave(): void;
}

export class Followers {
  readonly #since = new Map<Follower, number | undefined>();

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

  /** `since`: when the oldest change was done that one of them has not received yet. */
  get now(): { readonly count: number; readonly since: number | undefined } {
    let since: number | undefined;
    for (const one of this.#since.values()) {
      if (one !== undefined && (since === undefined || one < since)) since = one;
    }
    return { count: this.#since.size, since };
  }
}
