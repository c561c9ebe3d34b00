/** A map of bounded size that forgets what was not used recently. */

export class Generations<Value> {
  readonly #most: number;
  readonly #sizeOf: (value: Value) => number;
  /** Recently used entries, and entries used before those. */
  #young = new Map<string, Value>();
  #old: Map<string, Value> = new Map();
  #size = 0;

  /** `most` is the maximum total size of all values. */
  constructor(most: number, sizeOf: (value: Value) => number) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  get(name: string): Value | undefined {
    const young = this.#young.get(name);
    if (young !== undefined) return young;
    const old = this.#old.get(name);
    if (old !== undefined) this.set(name, old);
    return old;
  }

  set(name: string, value: Value): void {
    const before = this.#young.get(name);
    if (before !== undefined) this.#size -= this.#sizeOf(before);
    const size = this.#sizeOf(value);
    if (this.#size + size > this.#most / 2) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#size = 0;
    }
    this.#young.set(name, value);
    this.#size += size;
  }

  delete(name: string): void {
    const young = this.#young.get(name);
    if (young !== undefined) this.#size -= this.#sizeOf(young);
    this.#young.delete(name);
    this.#old.delete(name);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#size = 0;
  }
}
