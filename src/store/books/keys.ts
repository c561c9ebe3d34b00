/** The book of API keys, over the tables of a store. */
import { apiKey } from '../../core/objects/api-key.ts';
import type { KeyChange, KeyFinder, NewKey, StoredKey } from '../promises/keys.ts';
import { Book } from './book.ts';
import type { SourceBook } from './feeds/sources.ts';
import { newRow } from './rows/own-rows.ts';
import {
  changedValues,
  type KeyRow,
  livemodeOf,
  keyStatements as sql,
  toKey,
} from './sql/key-sql.ts';
import type { BookParts, BookTables, BookWrite } from './tables.ts';

/** Gives what hangs on a key, by its unique identifier, to the key that replaces it. */
type Succeeding = (old: string, successor: string) => BookWrite;

/** Keys of more accounts than this get their sources there as they first write. */
const MAX_BEGUN = 100;

export class KeyRing extends Book implements KeyFinder {
  authenticate: KeyFinder['authenticate'];
  readonly find: KeyFinder['find'];
  readonly #sources: SourceBook;
  readonly #succeeding: readonly Succeeding[];
  constructor(
    tables: BookTables,
    finder: KeyFinder,
    { sources, succeeding }: { sources: SourceBook; succeeding: readonly Succeeding[] },
    parts: BookParts,
  ) {
    super(tables, parts);
    this.#succeeding = succeeding;
    this.authenticate = finder.authenticate.bind(finder);
    this.find = finder.find.bind(finder);
    this.#sources = sources;
  }

  /** Throws a `RangeError` that says why if there are no accounts, an unknown one, or both live and test ones. */
  async create(key: NewKey): Promise<StoredKey> {
    const [made] = await this.createAll([key]);
    if (made === undefined) throw new TypeError('A key that was just written is not there.');
    return made;
  }

  /**
   * Creates all keys, in their order, or none, and makes the changes in the same commit. What hangs on a key goes over to
   * one whose source is `of` it. Throws like `create` and `changeAll`.
   */
  async createAll(keys: readonly NewKey[], changes: readonly KeyChange[] = []) {
    const livemodes = await this.#livemodes(keys.flatMap(({ accounts }) => accounts));
    const made = keys.map(({ hash, source, ...key }) => {
      const livemode = livemodeOf(key.accounts, livemodes);
      const times = { inserted_at: this.now(), suspended_at: null, revoked_at: null };
      const unique_identifier = this.identify('key_');
      const stored = { ...key, ...times, unique_identifier, livemode, last_used_at: null };
      return { hash, source, key: stored };
    });
    const rows = made.map(
      ({ hash, key }): BookWrite => [sql.insert, ...newRow(apiKey, { ...key, hash })],
    );
    const gone = made.flatMap(({ source, key: { unique_identifier } }) =>
      source?.of === undefined
        ? []
        : this.#succeeding.map((succeed) => succeed(source.of as string, unique_identifier)),
    );
    await this.#change(changes, [...rows, ...gone]);
    for (const { source, key } of made) {
      if (source !== undefined) await this.#beginSources(key, source);
    }
    return made.map(({ key }) => key);
  }

  /** Before anybody has the secret. */
  async #beginSources(
    { unique_identifier, accounts }: StoredKey,
    { name, of }: NonNullable<NewKey['source']>,
  ): Promise<void> {
    const sources = this.#sources;
    if (of !== undefined) {
      if (accounts.length <= MAX_BEGUN)
        await Promise.all(accounts.map((account) => sources.numberOf(account, of)));
      await sources.inherit(unique_identifier, of);
    } else if (name !== undefined) {
      for (const account of accounts) await sources.assign(account, unique_identifier, name);
    }
  }

  /** Makes all changes, or none, and returns the keys in their order. Throws a `RangeError` if a key does not exist. */
  async changeAll(changes: readonly KeyChange[]): Promise<readonly StoredKey[]> {
    if (changes.length === 0) return [];
    await this.#change(changes, []);
    const identifiers = changes.map(({ unique_identifier }) => unique_identifier);
    const rows = await this.tables.rows<KeyRow>(sql.some, identifiers);
    const keys = new Map(rows.map((row) => [row[0], toKey(row)]));
    return identifiers.map((one) => keys.get(one) ?? missing(one));
  }

  /** All keys, the newest first. */
  readonly list = () => this.all(toKey, sql.list);

  /** Revoking twice changes nothing. `undefined` when the key does not exist. */
  readonly revoke = (unique_identifier: string) =>
    this.#changeOne({ unique_identifier, does: 'revoke' });

  /** Stops a key from working until it is resumed. Suspending twice changes nothing. `undefined` when the key does not exist. */
  readonly suspend = (unique_identifier: string) =>
    this.#changeOne({ unique_identifier, does: 'suspend' });

  /** Lets a suspended key work again, unless it ended meanwhile. `undefined` when the key does not exist. */
  readonly resume = (unique_identifier: string) =>
    this.#changeOne({ unique_identifier, does: 'resume' });

  /** Ends a key at a time (milliseconds since 1970), unless it already ends sooner. */
  readonly expire = (unique_identifier: string, at: number) =>
    this.#changeOne({ unique_identifier, does: 'expire', at });

  /** Reduces a key's scope to a part of it; `undefined`: removes the key without a trace. */
  async limit(
    unique_identifier: string,
    scope: Pick<StoredKey, 'accounts' | 'anchors'> | undefined,
  ): Promise<void> {
    if (scope === undefined) await this.tables.change(sql.remove, unique_identifier);
    else await this.tables.change(sql.limit, unique_identifier, scope.accounts, scope.anchors);
  }

  /** Notes when keys were last used: times by unique identifier. */
  async touch(used: ReadonlyMap<string, number>): Promise<void> {
    await this.tables.write([
      [sql.lock, [...used.keys()]],
      { statement: sql.touch, rows: [...used] },
    ]);
  }

  async #changeOne(change: KeyChange): Promise<StoredKey | undefined> {
    const [found] = await this.tables.rows(sql.one, change.unique_identifier);
    return found && (await this.changeAll([change]))[0];
  }

  /** All of them and what follows in one commit, or nothing where one of the keys is not there. */
  async #change(changes: readonly KeyChange[], then: readonly BookWrite[]): Promise<void> {
    const identifiers = [...new Set(changes.map(({ unique_identifier }) => unique_identifier))];
    const now = this.now();
    const writes = changes.map((change): BookWrite => {
      return [sql[change.does], change.unique_identifier, ...changedValues(change, now)];
    });
    const needs = identifiers.length;
    const locks: readonly BookWrite[] = needs === 0 ? [] : [[sql.lock, identifiers]];
    const [found = 0] = await this.tables.write([...locks, ...writes, ...then], needs);
    if (needs === 0 || found === needs) return;
    const there = await this.column<string>(sql.some, identifiers);
    missing(identifiers.find((one) => !there.includes(one)) ?? '');
  }

  /** Whether each of these accounts is live, as far as they exist. */
  async #livemodes(accounts: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
    type Row = readonly [account: string, livemode: boolean | 0 | 1];
    const rows = await this.tables.rows<Row>(sql.livemodes, [...new Set(accounts)]);
    return new Map(rows.map(([account, livemode]) => [account, Boolean(livemode)]));
  }
}

function missing(unique_identifier: string): never {
  throw new RangeError(`There is no key ${unique_identifier}.`);
}
