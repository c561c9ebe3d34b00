/** The API keys: told apart by the hash of their secret, judged when they are shown. */
import type { KeyRing, NewKey, StoredKey } from '../store.ts';
import type { Context } from './context.ts';
import { type KeyRow, keyStatements } from './statements/keys.ts';

const PREFIX = 'key_';

export class Keys implements KeyRing {
  readonly #context: Context;
  readonly #statements: ReturnType<typeof keyStatements>;

  constructor(context: Context) {
    this.#context = context;
    this.#statements = keyStatements(context.connection.database);
  }

  async create(key: NewKey): Promise<StoredKey> {
    const { connection, identify, now } = this.#context;
    const unique_identifier = identify(PREFIX);
    return connection.write(() => {
      this.#statements.insert.run(
        unique_identifier,
        key.hash,
        key.name,
        this.#livemode(key.accounts),
        key.permission,
        JSON.stringify(key.accounts),
        toJson(key.anchors),
        toJson(key.resources),
        now(),
        key.expires_at,
      );
      const row = this.#statements.find.get(unique_identifier);
      if (row === undefined) throw new TypeError('A key that was just written is not there.');
      return toKey(row);
    });
  }

  async list(): Promise<readonly StoredKey[]> {
    return this.#context.connection.read(() => this.#statements.list.all().map(toKey));
  }

  async revoke(unique_identifier: string): Promise<StoredKey | undefined> {
    const { connection, now } = this.#context;
    return connection.write(() => {
      this.#statements.revoke.run(unique_identifier, now());
      return this.#find(unique_identifier);
    });
  }

  async expire(unique_identifier: string, at: number): Promise<StoredKey | undefined> {
    return this.#context.connection.write(() => {
      this.#statements.expire.run(unique_identifier, at);
      return this.#find(unique_identifier);
    });
  }

  async authenticate(hash: Uint8Array): Promise<StoredKey | undefined> {
    const { connection, now } = this.#context;
    const row = connection.read(() => this.#statements.authenticate.get(hash, now()));
    if (row === undefined || row[0] === null) return undefined;
    const key = toKey(row);
    return key.accounts.length === 0 ? undefined : key;
  }

  async touch(used: ReadonlyMap<string, number>): Promise<void> {
    await this.#context.connection.write(() => {
      for (const [unique_identifier, time] of used) {
        this.#statements.touch.run(unique_identifier, time);
      }
    });
  }

  #find(unique_identifier: string): StoredKey | undefined {
    const row = this.#statements.find.get(unique_identifier);
    return row === undefined ? undefined : toKey(row);
  }

  /** That of all the accounts, which must exist and agree. */
  #livemode(accounts: readonly string[]): number {
    const livemodes = new Map(this.#statements.livemodes.all(JSON.stringify(accounts)));
    const unknown = accounts.find((account) => !livemodes.has(account));
    if (unknown !== undefined) throw new RangeError(`There is no account ${unknown}.`);
    const [livemode, ...others] = new Set(livemodes.values());
    if (livemode === undefined) throw new RangeError('A key is for at least one account.');
    if (others.length > 0) throw new RangeError('A key cannot be for live and test accounts.');
    return livemode;
  }
}

function toKey(row: KeyRow): StoredKey {
  const [unique_identifier, name, livemode, permission, accounts, anchors, resources, ...times] =
    row;
  const [inserted_at, expires_at, revoked_at, last_used_at] = times;
  return {
    unique_identifier,
    name,
    livemode: livemode === 1,
    permission,
    accounts: JSON.parse(accounts) as string[],
    anchors: fromJson(anchors),
    resources: fromJson(resources),
    inserted_at,
    expires_at,
    revoked_at,
    last_used_at,
  };
}

function toJson(texts: readonly string[] | null): string | null {
  return texts === null ? null : JSON.stringify(texts);
}

function fromJson(text: string | null): readonly string[] | null {
  return text === null ? null : (JSON.parse(text) as string[]);
}
