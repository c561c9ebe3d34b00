/** Iterates over a list: `for await (const event of api.events.list())`. */
import { LedgerstoneError } from './error.ts';

/** One page of a list. */
export interface Page<T> {
  readonly data: readonly T[];
  /** Whether there are more records in the direction of the walk. */
  readonly has_more: boolean;
  /** How many records the whole list has, where it was asked for with `include: ['total']`: `count`, or more than that. */
  readonly total?: { readonly count: number; readonly more: boolean };
  /** In a list of refused requests by `identifier`: whether each refusal of a record would be found, and since when. */
  readonly complete?: boolean;
  readonly complete_since?: string;
}

/** Where a page is: as asked for, or beside a record. */
export interface Cursor {
  readonly starting_after?: string;
  readonly ending_before?: string;
}

/** Loads a page; without a cursor the one that was asked for. */
export type LoadPage<T> = (cursor?: Cursor) => Promise<Page<T>>;

/** A list, from the page asked for to its end. Each iteration starts again from there. */
export class List<T extends object> implements AsyncIterable<T> {
  readonly #load: LoadPage<T>;
  readonly #backwards: boolean;
  readonly #member: string;

  /** Backwards, the records before the cursor are given nearest first. `member` is what a cursor is of an entry. */
  constructor(load: LoadPage<T>, backwards: boolean, member = 'unique_identifier') {
    this.#load = load;
    this.#backwards = backwards;
    this.#member = member;
  }

  /** The page that was asked for, alone. */
  page(): Promise<Page<T>> {
    return this.#load();
  }

  /** All of it at once, page after page. */
  async all(): Promise<readonly T[]> {
    const all: T[] = [];
    for await (const one of this) all.push(one);
    return all;
  }

  /** Each record once, page after page. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let page: Page<T> | undefined = await this.#load();
    while (page !== undefined) {
      const walked: readonly T[] = this.#backwards ? [...page.data].reverse() : page.data;
      yield* walked.slice(0, -1);
      // Before the last record is yielded: a caller that removes records as it walks would remove the cursor.
      page = page.has_more ? await this.#beyond(walked) : undefined;
      yield* walked.slice(-1);
    }
  }

  /** The page after these records: beside the last one, or beside one before it where others were removed meanwhile. */
  async #beyond(walked: readonly T[]): Promise<Page<T> | undefined> {
    const name = this.#backwards ? 'ending_before' : 'starting_after';
    for (let at = walked.length - 1; at >= 0; at -= 1) {
      try {
        const entry = walked[at] as Readonly<Record<string, unknown>> | undefined;
        return await this.#load({ [name]: entry?.[this.#member] });
      } catch (error) {
        const gone = error instanceof LedgerstoneError && error.param === name;
        if (!gone || at === 0) throw error;
      }
    }
    return undefined;
  }
}
