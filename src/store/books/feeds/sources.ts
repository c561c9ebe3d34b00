/** The book of sources, over the tables of a store. */
import { BoundedMap } from '../../../core/bounded.ts';
import {
  MAX_SOURCE_NAME,
  SHARED_WRITERS,
  type SourceWriter,
  type StoredSource,
  sharedWriterOf,
  source,
  sourceWriter,
} from '../../../core/objects/source.ts';
import { named } from '../../images.ts';
import type { SourceRefused } from '../../promises/account-book.ts';
import type { KeyFinder } from '../../promises/keys.ts';
import { StoreUnavailable } from '../../promises/records.ts';
import { Book } from '../book.ts';
import { rowReader, selected } from '../rows/own-rows.ts';
import { type BookParts, type BookTables, erasing, statements } from '../tables.ts';

/** Sources that are known without a look, of all accounts. */
const MAX_KNOWN = 100_000;
/** For how long the sources of an account are as they were read, and of how many accounts. */
const FRESH_MS = 5_000;
const MAX_READ = 1_000;
/** Others may take the same number or name meanwhile. */
const MAX_TRIES = 100;

const FOUND = `SELECT ${selected(source)} FROM source`;

export const sql = statements({
  sourcesOf: ({ among }) => `${FOUND} WHERE ${among('of_account', '$1')} ORDER BY number`,
  source: `${FOUND} WHERE unique_identifier = $1`,
  sourcesNamed: ({ among }) =>
    `${FOUND} WHERE of_account = $1 AND ${among('name', '$2')} AND merged_into IS NULL`,
  lastSource: 'SELECT coalesce(max(number), 0) FROM source',
  /**
   * Takes number, unique identifier, account, name, and when; and the writer that it is for. Another one may have that
   * number or that name by now, and the writer another source.
   */
  openSource: `INSERT INTO source (number, unique_identifier, of_account, name, inserted_at)
    SELECT CAST($1 AS bigint), $2, $3, $4, CAST($5 AS bigint)
    WHERE NOT EXISTS (SELECT 1 FROM source_writer WHERE of_account = $3 AND writer = $6)
    ON CONFLICT DO NOTHING`,
  /** Renames $1 to $2, unless another source of its account has that name. */
  renameSource: erasing(`UPDATE source SET name = $2 WHERE unique_identifier = $1 AND NOT EXISTS (
    SELECT 1 FROM source AS other WHERE other.of_account = $3 AND other.name = $2
      AND other.merged_into IS NULL AND other.unique_identifier <> $1)`),
  /** Makes number $1, and all that is part of it, part of number $2. */
  mergeSource: `UPDATE source SET merged_into = $2 WHERE number = $1 OR merged_into = $1`,

  writersOf: ({ among }) =>
    `SELECT ${selected(sourceWriter)} FROM source_writer WHERE ${among('of_account', '$1')}
     ORDER BY of_account, writer`,
  writer: ({ among }) =>
    `SELECT writer, source FROM source_writer WHERE of_account = $1 AND ${among('writer', '$2')}`,
  assignWriter: `INSERT INTO source_writer (of_account, writer, source)
    SELECT of_account, $2, number FROM source WHERE of_account = $1 AND unique_identifier = $3
    ON CONFLICT DO NOTHING`,
  syncSources: ({ among }) =>
    `SELECT unique_identifier, account, source FROM sync WHERE ${among('unique_identifier', '$1')}`,
  inheritWriters: `INSERT INTO source_writer (of_account, writer, source)
    SELECT of_account, $1, source FROM source_writer WHERE writer = $2 ON CONFLICT DO NOTHING`,
});

const toSource = rowReader(source);
const toWriter = rowReader(sourceWriter);
const toBegun = named<SourceWriter>('writer', 'account', 'source');

/** The sources of an account by who writes as them, as they were read at a time of this process. */
interface Read {
  readonly at: number;
  readonly known: ReadonlyMap<string, StoredSource | undefined>;
}

export class SourceBook extends Book {
  readonly #keys: Pick<KeyFinder, 'find'>;
  /** By account and writer: none ever gets another number. */
  readonly #known = new BoundedMap<string, number>(MAX_KNOWN);
  readonly #finding = new Map<string, Promise<number>>();
  readonly #read = new BoundedMap<string, Read>(MAX_READ);

  constructor(tables: BookTables, keys: Pick<KeyFinder, 'find'>, parts: BookParts) {
    super(tables, parts);
    this.#keys = keys;
  }

  /**
   * The number of the source of those who write in an account: of an API key, a person or an import, by its unique
   * identifier. It is made when it is first needed, and then known without a promise: nothing is looked up per write.
   */
  numberOf(account: string, by: string): number | Promise<number> {
    const name = `${account} ${by}`;
    const known = this.#known.get(name) ?? this.#finding.get(name);
    if (known !== undefined) return known;
    const finding = this.#find(account, by)
      .then((number) => {
        this.#known.set(name, number);
        return number;
      })
      .finally(() => this.#finding.delete(name));
    this.#finding.set(name, finding);
    return finding;
  }

  /** Makes the source of that name the one of a new writer in an account. It is made if there is none. */
  readonly assign = (account: string, writer: string, name: string) =>
    this.#open(account, writer, async () => name);

  /** Gives a new writer the sources of another one. */
  readonly inherit = (writer: string, from: string) => this.did(sql.inheritWriters, writer, from);

  /** Sources of these accounts by number, those that were merged into others included. */
  readonly list = (accounts: readonly string[]) => this.all(toSource, sql.sourcesOf, accounts);

  /** Lists the keys and imports that write as sources of these accounts. */
  readonly writers = (accounts: readonly string[]) => this.all(toWriter, sql.writersOf, accounts);

  /** The sources of those who have written in an account, by their unique identifiers; seconds old at the most. */
  async of(account: string, by: Iterable<string | null>) {
    const found = new Map<string | null, StoredSource>();
    const names = [...new Set(by)].filter((one) => one !== null);
    if (names.length === 0) return found;
    let read = this.#read.get(account);
    const isStale = read === undefined || performance.now() - read.at > FRESH_MS;
    if (isStale || names.some((one) => !read?.known.has(one)))
      read = await this.#readOf(account, names);
    for (const one of names) {
      const known = read?.known.get(one);
      if (known !== undefined) found.set(one, known);
    }
    return found;
  }

  /** Reads the names of sources; those that are unknown are looked up again only after a while. */
  async #readOf(account: string, names: readonly string[]): Promise<Read> {
    const at = performance.now();
    const [all, writers] = await Promise.all([this.list([account]), this.writers([account])]);
    const byNumber = new Map(all.map((one) => [one.number, one]));
    const begun = await this.#begun(names.filter((name) => name.startsWith('syn_')));
    const known = new Map<string, StoredSource | undefined>(
      [...writers, ...begun].map(({ writer, source: number }) => {
        const one = byNumber.get(number);
        return [writer, byNumber.get(one?.merged_into ?? 0) ?? one];
      }),
    );
    for (const name of names)
      if (!known.has(name)) known.set(name, known.get(sharedWriterOf(name) ?? ''));
    const read = { at, known };
    this.#read.set(account, read);
    return read;
  }

  /** The one that began a sync. */
  async ofSync(unique_identifier: string): Promise<StoredSource | undefined> {
    const [begun] = await this.#begun([unique_identifier]);
    const all = begun === undefined ? [] : await this.list([begun.account]);
    const own = all.find(({ number }) => number === begun?.source);
    return all.find(({ number }) => number === own?.merged_into) ?? own;
  }

  /** Syncs as writers: none is one in the table, since there is one for each night. */
  async #begun(syncs: readonly string[]): Promise<readonly SourceWriter[]> {
    return syncs.length === 0 ? [] : this.all(toBegun, sql.syncSources, syncs);
  }

  async rename(unique_identifier: string, name: string): Promise<StoredSource | SourceRefused> {
    const found = await this.#named(unique_identifier);
    if (found?.merged_into !== null) return 'missing';
    const renamed = await this.did(sql.renameSource, unique_identifier, name, found.account);
    this.#read.delete(found.account);
    return renamed ? { ...found, name } : 'name_taken';
  }

  /** Makes a source part of another one of the account: from then on its records and writers are of that one. */
  async merge(unique_identifier: string, into: string): Promise<StoredSource | SourceRefused> {
    const [from, to] = await Promise.all([this.#named(unique_identifier), this.#named(into)]);
    if (from?.merged_into !== null || to?.merged_into !== null) return 'missing';
    if (from.number === to.number) return 'same';
    if (from.account !== to.account) return 'other_account';
    await this.tables.change(sql.mergeSource, from.number, to.number);
    this.#read.delete(from.account);
    return to;
  }

  readonly #named = (unique_identifier: string) =>
    this.first(toSource, sql.source, unique_identifier);

  async #find(account: string, by: string): Promise<number> {
    const shared = sharedWriterOf(by);
    const writers = shared === undefined ? [by] : [by, shared];
    const found = await this.#writtenBy(account, writers);
    if (found !== undefined) return found;
    const first = shared === undefined ? await this.#nameOfKey(by) : SHARED_WRITERS[shared];
    return this.#open(account, shared ?? by, (tried) => this.#freeName(account, first, tried));
  }

  /** The first of the writers that has one. */
  async #writtenBy(account: string, writers: readonly string[]): Promise<number | undefined> {
    type Row = readonly [writer: string, source: number];
    const sources = new Map(await this.tables.rows<Row>(sql.writer, account, writers));
    return writers.map((writer) => sources.get(writer)).find((number) => number !== undefined);
  }

  async #nameOfKey(by: string): Promise<string> {
    const found = await this.#keys.find(by);
    if (found.is === 'unknown') return by;
    const { name, ending } = found.key;
    return name?.slice(0, MAX_SOURCE_NAME - 8) || `Key …${ending}`;
  }

  /** The name, or with a number where another source of the account has it. */
  async #freeName(account: string, first: string, tried: number): Promise<string> {
    const names = Array.from({ length: MAX_TRIES }, (_, at) =>
      at === 0 ? first : `${first} ${at + 1}`,
    );
    const taken = await this.all(toSource, sql.sourcesNamed, account, names);
    const free = names.find((name) => !taken.some((one) => one.name === name));
    return free ?? `${first} ${this.now()} ${tried}`;
  }

  /** Gives a writer the source of that name, and makes it if there is none. Others may do so at the same time. */
  async #open(account: string, writer: string, nameFor: (tried: number) => Promise<string>) {
    for (let tried = 0; tried < MAX_TRIES; tried += 1) {
      const name = await nameFor(tried);
      const found = await this.first(toSource, sql.sourcesNamed, account, [name]);
      const unique_identifier = found?.unique_identifier ?? this.identify('src_');
      const assign = [sql.assignWriter, account, writer, unique_identifier] as const;
      if (found === undefined) {
        const number = (await this.counted(sql.lastSource)) + 1;
        const made = [number, unique_identifier, account, name, this.now()] as const;
        await this.tables.write([[sql.openSource, ...made, writer], assign]);
      } else await this.tables.write([assign]);
      const number = await this.#writtenBy(account, [writer]);
      if (number !== undefined) return number;
    }
    throw new StoreUnavailable('A source could not be made.');
  }
}
