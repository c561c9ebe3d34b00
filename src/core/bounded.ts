/** A map of bounded size that forgets what was not used recently. */

export class BoundedMap<Key, Value> {
  readonly #most: number;
  readonly #sizeOf: (value: Value) => number;
  /** Recently used entries, and entries used before those. */
  #young = new Map<Key, Value>();
  #old: Map<Key, Value> = new Map();
  #size = 0;

  /** `most` is the maximum total size of all values, each of which counts as one unless `sizeOf` says otherwise. */
  constructor(most: number, sizeOf: (value: Value) => number = () => 1) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    const before = this.#young.get(key);
    if (before !== undefined) this.#size -= this.#sizeOf(before);
    const size = this.#sizeOf(value);
    if (this.#size + size > this.#most / 2) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#size = 0;
    }
    this.#young.set(key, value);
    this.#size += size;
  }

  getOrInsertComputed(key: Key, make: (key: Key) => Value): Value {
    const found = this.get(key);
    if (found !== undefined) return found;
    const made = make(key);
    this.set(key, made);
    return made;
  }

  delete(key: Key): void {
    const young = this.#young.get(key);
    if (young !== undefined) this.#size -= this.#sizeOf(young);
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#size = 0;
  }
}
