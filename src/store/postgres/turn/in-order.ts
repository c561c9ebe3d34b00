/** Lets pieces of work go on at the same time, but those that touch the same things one after the other. */

interface Work {
  /** The names of what it touches. */
  readonly things: ReadonlySet<string>;
  readonly done: Promise<unknown>;
}

export class InOrder {
  /**
   * Few, and so looked through. One map by the names of all things would change
   * with every one of them, and V8 keeps what such a map has held, with all
   * that hangs on it, long after it is gone.
   */
  #underWay: readonly Work[] = [];

  /** Whether nothing under way touches any of them. */
  isFree(things: ReadonlySet<string>): boolean {
    return this.#underWay.every((other) => things.isDisjointFrom(other.things));
  }

  /** Does the work when all that was asked for before and touches one of the things is done, whether it succeeded or not. */
  run<T>(things: ReadonlySet<string>, work: () => Promise<T>): Promise<T> {
    const before = this.#underWay.filter((other) => !things.isDisjointFrom(other.things));
    const done =
      before.length === 0
        ? work()
        : Promise.allSettled(before.map((other) => other.done)).then(work);
    const own: Work = { things, done };
    this.#underWay = [...this.#underWay, own];
    const forget = (): void => {
      this.#underWay = this.#underWay.filter((other) => other !== own);
    };
    done.then(forget, forget);
    return done;
  }
}
