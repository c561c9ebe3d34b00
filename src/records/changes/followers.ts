/** Counts clients that follow the log of changes now, by a stream or a long poll, and how far behind they are. */

export interface Follower {
  /** Notes the time of the oldest change that is being sent; `undefined`: the follower has all changes. */
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

  /** `since`: the time of the oldest change that some follower has not received yet. */
  get now(): { readonly count: number; readonly since: number | undefined } {
    let since: number | undefined;
    for (const one of this.#since.values()) {
      if (one !== undefined && (since === undefined || one < since)) since = one;
    }
    return { count: this.#since.size, since };
  }
}
