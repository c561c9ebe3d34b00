/** The API keys: told apart by the hash of their secret, judged when they are shown. */
import { type KeyRow, livemodeOf, toKey } from '../key-rows.ts';
import type { KeyRing, NewKey, StoredKey } from '../keys.ts';
import type { Context } from './context.ts';
import { type Call, call, type Session } from './session.ts';
import * as statements from './statements/keys.ts';
import { transact } from './transaction.ts';
import { bytes, numberArray, textArray } from './values.ts';

const PREFIX = 'key_';

export class Keys implements KeyRing {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async create(key: NewKey): Promise<StoredKey> {
    const { sessions, identify, now } = this.#context;
    const work = async (session: Session) => {
      const found = await session.rows(call(statements.livemodes, textArray(key.accounts)));
      const livemode = livemodeOf(key.accounts, new Map(found));
      return session.rows(
        call(
          statements.insert,
          identify(PREFIX),
          bytes(key.hash),
          key.name,
          livemode,
          textArray(key.accounts),
          key.anchors && textArray(key.anchors),
          textArray(key.permissions),
          key.resources && textArray(key.resources),
          textArray(key.allow),
          key.from && textArray(key.from),
          key.rate,
          key.concurrent,
          now(),
          key.expires_at,
        ),
      );
    };
    const [row] = await sessions.use((session) => transact(session, () => work(session)));
    if (row === undefined) throw new TypeError('A key that was just written is not there.');
    return toKey(row);
  }

  async list(): Promise<readonly StoredKey[]> {
    const rows = await this.#context.sessions.use((session) => session.rows(call(statements.list)));
    return rows.map(toKey);
  }

  async revoke(unique_identifier: string): Promise<StoredKey | undefined> {
    return this.#change(call(statements.revoke, unique_identifier, this.#context.now()));
  }

  async suspend(unique_identifier: string): Promise<StoredKey | undefined> {
    return this.#change(call(statements.suspend, unique_identifier, this.#context.now()));
  }

  async resume(unique_identifier: string): Promise<StoredKey | undefined> {
    return this.#change(call(statements.resume, unique_identifier));
  }

  async expire(unique_identifier: string, at: number): Promise<StoredKey | undefined> {
    return this.#change(call(statements.expire, unique_identifier, at));
  }

  async authenticate(hash: Uint8Array): Promise<StoredKey | undefined> {
    const { sessions, now } = this.#context;
    const [row] = await sessions.use((session) =>
      session.rows(call(statements.authenticate, bytes(hash), now())),
    );
    if (row === undefined || row[0] === null) return undefined;
    const key = toKey(row as KeyRow<boolean>);
    return key.accounts.length === 0 ? undefined : key;
  }

  async touch(used: ReadonlyMap<string, number>): Promise<void> {
    const identifiers = textArray([...used.keys()]);
    const times = numberArray([...used.values()]);
    await this.#context.sessions.use((session) =>
      session.run(call(statements.touch, identifiers, times)),
    );
  }

  async #change(change: Call<KeyRow<boolean>>): Promise<StoredKey | undefined> {
    const [row] = await this.#context.sessions.use((session) => session.rows(change));
    return row === undefined ? undefined : toKey(row);
  }
}
