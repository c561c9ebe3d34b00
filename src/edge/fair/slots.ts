/** A set whose entries come and go all the time, each in a slot that is reused after it has gone. */

/**
 * A set whose entries come and go all the time. As V8's own sets change, their old tables stay linked, with all
 * entries: an entry of such a set stays in memory until the old generation is collected, and costs each young
 * collection until then.
 */
export class Slots<Thing> {
  readonly #things: (Thing | undefined)[] = [];
  readonly #free: number[] = [];

  /** Gives its slot, which it must leave once. */
  take(thing: Thing): number {
    const slot = this.#free.pop() ?? this.#things.length;
    this.#things[slot] = thing;
    return slot;
  }

  leave(slot: number): void {
    this.#things[slot] = undefined;
    this.#free.push(slot);
  }

  there(): readonly Thing[] {
    return this.#things.filter((thing) => thing !== undefined);
  }
}
