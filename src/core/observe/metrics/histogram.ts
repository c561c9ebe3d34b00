/** Counts values by size so cheaply that every request can be counted: nothing is allocated, and no label is looked up. */

export class Histogram {
  /** The upper bounds of the buckets, ascending; the last is infinite. */
  readonly #bounds: Float64Array;
  /** How many values fell into each bucket and into none before it. */
  readonly #counts: Float64Array;
  #sum = 0;

  /** `bounds` are finite and ascending; values above them all are counted, too. */
  constructor(bounds: readonly number[]) {
    this.#bounds = Float64Array.of(...bounds, Number.POSITIVE_INFINITY);
    this.#counts = new Float64Array(this.#bounds.length);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let bucket = 0;
    // The last bound ends this by itself.
    while (value > (bounds[bucket] as number)) bucket++;
    (this.#counts[bucket] as number) += 1;
    this.#sum += value;
  }

  /** Each bound with the number of values up to it; the last one, which is infinite, counts them all. */
  buckets(): readonly { readonly bound: number; readonly count: number }[] {
    let count = 0;
    return Array.from(this.#bounds, (bound, bucket) => {
      count += this.#counts[bucket] ?? 0;
      return { bound, count };
    });
  }

  get sum(): number {
    return this.#sum;
  }
}
