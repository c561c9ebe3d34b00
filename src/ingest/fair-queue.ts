/** What waits, by key: each key's first in turn, so that nobody waits for all that another one has brought. */
export class FairQueue<Thing> {
  /** In the order of their turns. */
  readonly #byKey = new Map<string, Thing[]>();

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  push(key: string, thing: Thing): void {
    const own = this.#byKey.get(key);
    if (own === undefined) this.#byKey.set(key, [thing]);
    else own.push(thing);
  }

  /** The next one, which is taken out; `undefined` where nothing waits. */
  shift(): Thing | undefined {
    for (const [key, own] of this.#byKey) {
      const thing = own.shift();
      this.#byKey.delete(key);
      if (own.length > 0) this.#byKey.set(key, own);
      return thing;
    }
    return undefined;
  }
}
