/** API keys: found by the hash of their secret, and checked each time they are used. */
import {
  changedValues,
  judgeKey,
  type KeyRow,
  livemodeOf,
  type NoKeyRow,
  toKey,
} from '../key-rows.ts';
import type { FoundKey, KeyChange, KeyRing, NewKey, StoredKey } from '../keys.ts';
import type { Context } from './context.ts';
import { keyStatements } from './statements/keys.ts';

const PREFIX = 'key_';

export class Keys implements KeyRing {
  readonly #context: Context;
  readonly #statements: ReturnType<typeof keyStatements>;

  constructor(context: Context) {
    this.#context = context;
    this.#statements = keyStatements(context.connection.database);
  }

  async create(key: NewKey): Promise<StoredKey> {
    return this.#context.connection.write(() => this.#insert(key));
  }

  async createAll(
    keys: readonly NewKey[],
    changes: readonly KeyChange[] = [],
  ): Promise<readonly StoredKey[]> {
    return this.#context.connection.write(() => {
      for (const change of changes) this.#change(change);
      return keys.map((key) => this.#insert(key));
    });
  }

  async changeAll(changes: readonly KeyChange[]): Promise<readonly StoredKey[]> {
    return this.#context.connection.write(() => changes.map((change) => this.#change(change)));
  }

  async list(): Promise<readonly StoredKey[]> {
    return this.#context.connection.read(() => this.#statements.list.all().map(toKey));
  }

  async revoke(unique_identifier: string): Promise<StoredKey | undefined> {
    return this.#changeOne({ unique_identifier, does: 'revoke' });
  }

  async suspend(unique_identifier: string): Promise<StoredKey | undefined> {
    return this.#changeOne({ unique_identifier, does: 'suspend' });
  }

  async resume(unique_identifier: string): Promise<StoredKey | undefined> {
    return this.#changeOne({ unique_identifier, does: 'resume' });
  }

  async expire(unique_identifier: string, at: number): Promise<StoredKey | undefined> {
    return this.#changeOne({ unique_identifier, does: 'expire', at });
  }

  async limit(
    unique_identifier: string,
    scope: Pick<StoredKey, 'accounts' | 'anchors'> | undefined,
  ): Promise<void> {
    const { limit, remove } = this.#statements;
    await this.#context.connection.write(() =>
      scope === undefined
        ? remove.run(unique_identifier)
        : limit.run(JSON.stringify(scope.accounts), toJson(scope.anchors), unique_identifier),
    );
  }

  async authenticate(hash: Uint8Array): Promise<FoundKey> {
    const { connection, now } = this.#context;
    const row = connection.read(() => this.#statements.withHash.get(hash));
    if (row === undefined) throw new TypeError('There is a row for every hash.');
    const [open, ...found] = row;
    const isOpen = new Set(JSON.parse(open) as string[]);
    const key = isKeyRow(found) ? toKey(found) : undefined;
    return judgeKey(key, (account) => isOpen.has(account), now());
  }

  async find(unique_identifier: string): Promise<FoundKey> {
    const { connection, now } = this.#context;
    return connection.read(() => {
      const row = this.#statements.find.get(unique_identifier);
      const open = new Set(
        this.#statements.openAccounts.all(unique_identifier).map(([one]) => one),
      );
      return judgeKey(row && toKey(row), (account) => open.has(account), now());
    });
  }

  async touch(used: ReadonlyMap<string, number>): Promise<void> {
    await this.#context.connection.write(() => {
      for (const [unique_identifier, time] of used) {
        this.#statements.touch.run(unique_identifier, time);
      }
    });
  }

  /** Called within a transaction. */
  #insert(key: NewKey): StoredKey {
    const { identify, now } = this.#context;
    const unique_identifier = identify(PREFIX);
    const found = this.#statements.livemodes.all(JSON.stringify(key.accounts));
    const livemode = livemodeOf(key.accounts, new Map(found));
    this.#statements.insert.run(
      unique_identifier,
      key.hash,
      key.name,
      key.ending,
      livemode,
      JSON.stringify(key.accounts),
      toJson(key.anchors),
      JSON.stringify(key.permissions),
      toJson(key.resources),
      JSON.stringify(key.allow),
      toJson(key.from),
      key.rate,
      key.concurrent,
      now(),
      key.expires_at,
    );
    const row = this.#statements.find.get(unique_identifier);
    if (row === undefined) throw new TypeError('A key that was just written is not there.');
    return toKey(row);
  }

  async #changeOne(change: KeyChange): Promise<StoredKey | undefined> {
    return this.#context.connection.write(() =>
      this.#statements.find.get(change.unique_identifier) === undefined
        ? undefined
        : this.#change(change),
    );
  }

  /** Called within a transaction. */
  #change(change: KeyChange): StoredKey {
    const { unique_identifier, does } = change;
    const statement = this.#statements[does];
    statement.run(unique_identifier, ...changedValues(change, this.#context.now(), toJson));
    const row = this.#statements.find.get(unique_identifier);
    if (row === undefined) throw new RangeError(`There is no key ${unique_identifier}.`);
    return toKey(row);
  }
}

function isKeyRow(row: KeyRow<0 | 1> | NoKeyRow): row is KeyRow<0 | 1> {
  return row[0] !== null;
}

function toJson(texts: readonly string[] | null): string | null {
  return texts === null ? null : JSON.stringify(texts);
}
