/** The book of API keys, over the tables of a store. */

import { apiKey } from '../../core/objects/api-key.ts';
import type { SourceBook } from '../promises/account-book.ts';
import type { KeyChange, KeyRing, NewKey, StoredKey } from '../promises/keys.ts';
import { Book } from './book.ts';
import { changedValues, type KeyRow, livemodeOf, toKey } from './rows/key-rows.ts';
import { newRow } from './rows/own-rows.ts';
import { keyStatements as sql } from './sql/key-sql.ts';
import type { BookParts, BookTables, BookWrite } from './tables.ts';

const PREFIX = 'key_';
/** Keys of more accounts than this get their sources there as they first write. */
const MAX_BEGUN = 100;

/** Finds the key of a request: each store by a statement of its own, since every request waits for it. */
export type KeyFinder = Pick<KeyRing, 'authenticate' | 'find'>;

export class Keys extends Book implements KeyRing {
  readonly authenticate: KeyRing['authenticate'];
  readonly find: KeyRing['find'];
  readonly #sources: SourceBook;
  constructor(tables: BookTables, finder: KeyFinder, sources: SourceBook, parts: BookParts) {
    super(tables, parts);
    this.authenticate = finder.authenticate.bind(finder);
    this.find = finder.find.bind(finder);
    this.#sources = sources;
  }

  async create(key: NewKey): Promise<StoredKey> {
    const [made] = await this.createAll([key]);
    if (made === undefined) throw new TypeError('A key that was just written is not there.');
    return made;
  }

  async createAll(
    keys: readonly NewKey[],
    changes: readonly KeyChange[] = [],
  ): Promise<readonly StoredKey[]> {
    const livemodes = await this.#livemodes(keys.flatMap(({ accounts }) => accounts));
    const made = keys.map(({ hash, source, ...key }) => {
      const known = key.accounts.flatMap((account) => {
        const livemode = livemodes.get(account);
        return livemode === undefined ? [] : [[account, livemode] as const];
      });
      const livemode = livemodeOf(key.accounts, new Map(known));
      const inserted_at = this.now();
      const never = { suspended_at: null, revoked_at: null, last_used_at: null };
      return {
        hash,
        source,
        key: {
          ...{ ...key, ...never, livemode, inserted_at },
          unique_identifier: this.identify(PREFIX),
        },
      };
    });
    await this.#change(
      changes,
      made.map(({ hash, key }) => [sql.insert, ...newRow(apiKey, { ...key, hash })]),
    );
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
      if (accounts.length <= MAX_BEGUN) {
        await Promise.all(accounts.map((account) => sources.numberOf(account, of)));
      }
      await sources.inherit(unique_identifier, of);
    } else if (name !== undefined) {
      for (const account of accounts) await sources.assign(account, unique_identifier, name);
    }
  }

  async changeAll(changes: readonly KeyChange[]): Promise<readonly StoredKey[]> {
    if (changes.length === 0) return [];
    await this.#change(changes, []);
    const identifiers = changes.map(({ unique_identifier }) => unique_identifier);
    const rows = await this.tables.rows<KeyRow>(sql.some, identifiers);
    const keys = new Map(rows.map((row) => [row[0], toKey(row)]));
    return identifiers.map((one) => keys.get(one) ?? missing(one));
  }

  async list(): Promise<readonly StoredKey[]> {
    return this.all(toKey, sql.list);
  }

  revoke(unique_identifier: string): Promise<StoredKey | undefined> {
    return this.#changeOne({ unique_identifier, does: 'revoke' });
  }

  suspend(unique_identifier: string): Promise<StoredKey | undefined> {
    return this.#changeOne({ unique_identifier, does: 'suspend' });
  }

  resume(unique_identifier: string): Promise<StoredKey | undefined> {
    return this.#changeOne({ unique_identifier, does: 'resume' });
  }

  expire(unique_identifier: string, at: number): Promise<StoredKey | undefined> {
    return this.#changeOne({ unique_identifier, does: 'expire', at });
  }

  async limit(
    unique_identifier: string,
    scope: Pick<StoredKey, 'accounts' | 'anchors'> | undefined,
  ): Promise<void> {
    if (scope === undefined) await this.tables.change(sql.remove, unique_identifier);
    else await this.tables.change(sql.limit, unique_identifier, scope.accounts, scope.anchors);
  }

  async touch(used: ReadonlyMap<string, number>): Promise<void> {
    await this.tables.write([
      [sql.lock, [...used.keys()]],
      { statement: sql.touch, rows: [...used] },
    ]);
  }

  async #changeOne(change: KeyChange): Promise<StoredKey | undefined> {
    const { unique_identifier } = change;
    const [found] = await this.tables.rows(sql.one, unique_identifier);
    if (found === undefined) return undefined;
    const [key] = await this.changeAll([change]);
    return key;
  }

  /** All of them and what follows in one commit, or nothing where one of the keys is not there. */
  async #change(changes: readonly KeyChange[], then: readonly BookWrite[]): Promise<void> {
    const identifiers = [...new Set(changes.map(({ unique_identifier }) => unique_identifier))];
    const now = this.now();
    const writes = changes.map(
      (change): BookWrite => [
        sql[change.does],
        change.unique_identifier,
        ...changedValues(change, now, (texts) => texts),
      ],
    );
    const needs = identifiers.length;
    const locks: readonly BookWrite[] = needs === 0 ? [] : [[sql.lock, identifiers]];
    const [found = 0] = await this.tables.write([...locks, ...writes, ...then], needs);
    if (needs === 0 || found === needs) return;
    const there = await this.tables.rows<KeyRow>(sql.some, identifiers);
    const names = new Set(there.map(([name]) => name));
    missing(identifiers.find((one) => !names.has(one)) ?? '');
  }

  /** Whether each of these accounts is live, as far as they exist. */
  async #livemodes(accounts: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
    const rows = await this.tables.rows<readonly [account: string, livemode: boolean | 0 | 1]>(
      sql.livemodes,
      [...new Set(accounts)],
    );
    return new Map(rows.map(([account, livemode]) => [account, Boolean(livemode)]));
  }
}

function missing(unique_identifier: string): never {
  throw new RangeError(`There is no key ${unique_identifier}.`);
}
