/** Gives the records of a backup that knows no sources theirs, from the log of changes, as far as that reaches. */
import { SHARED_WRITERS, sharedWriterOf, source, sourceWriter } from '../../core/objects/source.ts';
import { createIdentifiers } from '../../core/schema/id.ts';
import type { Attributed, Loading } from '../../store/loading.ts';
import type { LoggedChange } from '../../store/promises/log.ts';
import type { Batches, FixedRow } from '../../store/promises/snapshot.ts';
import type { Part } from './parts.ts';

const WRITES: ReadonlySet<string> = new Set(['created', 'updated', 'restored', 'proposed']);

export class Attribution {
  readonly #loading: Loading;
  readonly #now: number;
  readonly #identify: (prefix: string) => string;
  #isKnown = false;
  readonly #keyNames = new Map<string, string>();
  /** By account and writer. */
  readonly #numbers = new Map<string, number>();
  readonly #taken = new Set<string>();
  readonly #sources: FixedRow[] = [];
  readonly #writers: FixedRow[] = [];

  constructor(loading: Loading, now: number) {
    this.#loading = loading;
    this.#now = now;
    this.#identify = createIdentifiers(() => now);
  }

  /** The rows of a part as they are loaded. */
  watch(part: Part, rows: Batches<object>): Batches<object> {
    if (part.name === 'sources') this.#isKnown = true;
    if (part.name === 'keys') return this.#namesOf(rows as Batches<FixedRow>);
    if (part.kind !== 'changes' || this.#isKnown) return rows;
    return this.#attributing(rows as Batches<LoggedChange>);
  }

  async finish(): Promise<void> {
    await this.#loading.rows(source, once(this.#sources));
    await this.#loading.rows(sourceWriter, once(this.#writers));
  }

  async *#namesOf(rows: Batches<FixedRow>): Batches<FixedRow> {
    for await (const batch of rows) {
      for (const { unique_identifier, name, ending } of batch) {
        this.#keyNames.set(String(unique_identifier), String(name ?? `Key …${ending}`));
      }
      yield batch;
    }
  }

  async *#attributing(changes: Batches<LoggedChange>): Batches<LoggedChange> {
    for await (const batch of changes) {
      yield batch;
      const records = new Map<string, Attributed>();
      for (const change of batch) {
        const { account, resource, record, outcome, by } = change;
        if (by === null || change.damaged || !WRITES.has(outcome)) continue;
        const source = this.#numberOf(account, by);
        const made = outcome === 'created' ? source : (records.get(record)?.created_by ?? null);
        records.set(record, { account, resource, record, created_by: made, changed_by: source });
      }
      await this.#loading.attribute([...records.values()]);
    }
  }

  #numberOf(account: string, by: string): number {
    const shared = sharedWriterOf(by);
    const writer = shared ?? by;
    const known = this.#numbers.get(`${account} ${writer}`);
    if (known !== undefined) return known;
    const number = this.#numbers.size + 1;
    this.#numbers.set(`${account} ${writer}`, number);
    const first = shared === undefined ? (this.#keyNames.get(by) ?? by) : SHARED_WRITERS[shared];
    let name = first;
    for (let nth = 2; this.#taken.has(`${account} ${name}`); nth += 1) name = `${first} ${nth}`;
    this.#taken.add(`${account} ${name}`);
    this.#sources.push({
      ...{ number, unique_identifier: this.#identify('src_'), of_account: account, name },
      ...{ merged_into: null, inserted_at: this.#now },
    });
    this.#writers.push({ of_account: account, writer, source: number });
    return number;
  }
}

async function* once(rows: readonly FixedRow[]): Batches<FixedRow> {
  if (rows.length > 0) yield rows;
}
