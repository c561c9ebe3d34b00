/** A set of things that come and go all the time, each in a slot that is used again when it has gone. */

/**
 * A set of things that come and go all the time. V8's own sets leave their old
 * tables to each other as they change, with all that was in them: whatever was
 * in such a set is kept in memory until the old generation is collected, and
 * costs each young collection until then.
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
