/** A round-robin queue over keys: one item of each key at a time, so that no key waits for another's whole backlog. */
export class FairQueue<Item> {
  /** Items by key, in the order in which they are served. */
  readonly #byKey = new Map<string, Item[]>();
  readonly #takeOut: (own: Item[]) => Item | undefined;

  /** `takeOut` takes the next one out of those of a key, which are in the order in which they came. */
  constructor(takeOut = (own: Item[]) => own.shift()) {
    this.#takeOut = takeOut;
  }

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  push(key: string, item: Item): void {
    const own = this.#byKey.get(key);
    if (own === undefined) this.#byKey.set(key, [item]);
    else own.push(item);
  }

  shift(): Item | undefined {
    for (const [key, own] of this.#byKey) {
      const item = this.#takeOut(own);
      this.#byKey.delete(key);
      if (own.length > 0) this.#byKey.set(key, own);
      return item;
    }
    return undefined;
  }
}
