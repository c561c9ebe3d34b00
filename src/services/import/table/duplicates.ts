/** Notices rows of a file that name the same record: the later ones change what the first one makes. */
import { numberOf } from '../../../core/number-of.ts';
import type { ColumnTarget } from '../../../core/schema/csv/targets.ts';

/** Rows that are remembered; those beyond are not compared. */
const REMEMBERED = 250_000;
const EXAMPLES = 5;

/** How many rows name a record that an earlier one names, and the first of them with that one. */
export interface Duplicates {
  readonly count: number;
  readonly examples: readonly (readonly [row: number, earlier: number])[];
}

/** Hears of each row, by the cells of the columns that say which record it is. */
export class DuplicateCounter {
  readonly #columns: readonly number[];
  readonly #rows = new Map<number, number>();
  readonly #examples: (readonly [number, number])[] = [];
  #count = 0;

  constructor(targets: readonly (ColumnTarget | undefined)[]) {
    const columns = [...targets.entries()].filter(([, target]) => isIdentity(target));
    const isNamed = columns.some(([, target]) => target?.name === 'external_identifier');
    this.#columns = isNamed ? columns.map(([at]) => at) : [];
  }

  see(number: number, cells: readonly string[]): void {
    if (this.#columns.length === 0 || this.#rows.size >= REMEMBERED) return;
    const key = numberOf(this.#columns.map((at) => cells[at] ?? '').join('\0'));
    const earlier = this.#rows.get(key);
    if (earlier === undefined) {
      this.#rows.set(key, number);
      return;
    }
    this.#count += 1;
    if (this.#examples.length < EXAMPLES) this.#examples.push([number, earlier]);
  }

  get found(): Duplicates | undefined {
    return this.#count === 0 ? undefined : { count: this.#count, examples: this.#examples };
  }
}

function isIdentity(target: ColumnTarget | undefined): boolean {
  return target?.name.endsWith('_identifier') === true;
}
