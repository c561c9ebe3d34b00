/** Lets pieces of work go on at the same time, but those that touch the same things one after the other. */

export class InOrder {
  /** By name of a thing: the last piece of work that touches it. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does the work when all that was asked for before and touches one of the things is done, whether it succeeded or not. */
  run<T>(things: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = new Set<Promise<unknown>>();
    for (const thing of things) {
      const last = this.#last.get(thing);
      if (last !== undefined) before.add(last);
    }
    const done = before.size === 0 ? work() : Promise.allSettled(before).then(work);
    for (const thing of things) this.#last.set(thing, done);
    const forget = (): void => {
      for (const thing of things) if (this.#last.get(thing) === done) this.#last.delete(thing);
    };
    done.then(forget, forget);
    return done;
  }
}
