/** The API keys: told apart by the hash of their secret, judged when they are shown. */
import { livemodeOf, toKey } from '../key-rows.ts';
import type { KeyRing, NewKey, StoredKey } from '../keys.ts';
import type { Context } from './context.ts';
import { keyStatements } from './statements/keys.ts';
import type { Statement } from './statements/prepare.ts';

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

  async createAll(keys: readonly NewKey[]): Promise<readonly StoredKey[]> {
    return this.#context.connection.write(() => keys.map((key) => this.#insert(key)));
  }

  async list(): Promise<readonly StoredKey[]> {
    return this.#context.connection.read(() => this.#statements.list.all().map(toKey));
  }

  async revoke(unique_identifier: string): Promise<StoredKey | undefined> {
    return this.#change(this.#statements.revoke, unique_identifier, this.#context.now());
  }

  async suspend(unique_identifier: string): Promise<StoredKey | undefined> {
    return this.#change(this.#statements.suspend, unique_identifier, this.#context.now());
  }

  async resume(unique_identifier: string): Promise<StoredKey | undefined> {
    return this.#change(this.#statements.resume, unique_identifier);
  }

  async expire(unique_identifier: string, at: number): Promise<StoredKey | undefined> {
    return this.#change(this.#statements.expire, unique_identifier, at);
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

  /** To be called within a transaction. */
  #insert(key: NewKey): StoredKey {
    const { identify, now } = this.#context;
    const unique_identifier = identify(PREFIX);
    const found = this.#statements.livemodes.all(JSON.stringify(key.accounts));
    const livemode = livemodeOf(key.accounts, new Map(found));
    this.#statements.insert.run(
      unique_identifier,
      key.hash,
      key.name,
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

  async #change(
    statement: Statement,
    unique_identifier: string,
    ...at: readonly number[]
  ): Promise<StoredKey | undefined> {
    return this.#context.connection.write(() => {
      statement.run(unique_identifier, ...at);
      const row = this.#statements.find.get(unique_identifier);
      return row === undefined ? undefined : toKey(row);
    });
  }
}

function toJson(texts: readonly string[] | null): string | null {
  return texts === null ? null : JSON.stringify(texts);
}
