/** Runs work concurrently, but work that touches the same things one at a time. */

interface Work {
  /** The names of the things it touches. */
  readonly things: ReadonlySet<string>;
  readonly done: Promise<unknown>;
}

export class InOrder {
  /**
   * Few, and so looked through. One map by the names of all things would change with every one of them, and V8 retains
   * what such a map contained, with all that hangs on it, long after it is gone.
   */
  #underWay: readonly Work[] = [];

  /** Whether no work in progress touches any of them. */
  isFree(things: ReadonlySet<string>): boolean {
    return this.#underWay.every((other) => things.isDisjointFrom(other.things));
  }

  /** Runs the work when all earlier work that touches one of these things has ended, successfully or not. */
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
