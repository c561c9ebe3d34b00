/** What is there now, each thing in a place that the next one takes when it has gone. */

/**
 * A set of things that come and go all the time. V8's own sets leave their old
 * tables to each other as they change, with all that was in them: whatever was
 * in such a set is kept in memory until the old generation is collected, and
 * costs each young collection until then.
 */
export class Places<Thing> {
  readonly #things: (Thing | undefined)[] = [];
  readonly #free: number[] = [];

  /** Gives its place, which it is to leave once. */
  take(thing: Thing): number {
    const place = this.#free.pop() ?? this.#things.length;
    this.#things[place] = thing;
    return place;
  }

  leave(place: number): void {
    this.#things[place] = undefined;
    this.#free.push(place);
  }

  there(): readonly Thing[] {
    return this.#things.filter((thing) => thing !== undefined);
  }
}
