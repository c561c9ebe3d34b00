/** The API keys: told apart by the hash of their secret, judged when they are shown. */
import type { KeyRing, NewKey, StoredKey } from '../store.ts';
import type { Context } from './context.ts';
import { type Call, call, type Session } from './session.ts';
import type { KeyRow } from './statements/keys.ts';
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
      const livemode = await livemodeOf(session, key.accounts);
      return session.rows(
        call(
          statements.insert,
          identify(PREFIX),
          bytes(key.hash),
          key.name,
          livemode,
          key.permission,
          textArray(key.accounts),
          key.anchors && textArray(key.anchors),
          key.resources && textArray(key.resources),
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

  async expire(unique_identifier: string, at: number): Promise<StoredKey | undefined> {
    return this.#change(call(statements.expire, unique_identifier, at));
  }

  async authenticate(hash: Uint8Array): Promise<StoredKey | undefined> {
    const { sessions, now } = this.#context;
    const [row] = await sessions.use((session) =>
      session.rows(call(statements.authenticate, bytes(hash), now())),
    );
    if (row === undefined || row[0] === null) return undefined;
    const key = toKey(row as KeyRow);
    return key.accounts.length === 0 ? undefined : key;
  }

  async touch(used: ReadonlyMap<string, number>): Promise<void> {
    const identifiers = textArray([...used.keys()]);
    const times = numberArray([...used.values()]);
    await this.#context.sessions.use((session) =>
      session.run(call(statements.touch, identifiers, times)),
    );
  }

  async #change(change: Call<KeyRow>): Promise<StoredKey | undefined> {
    const [row] = await this.#context.sessions.use((session) => session.rows(change));
    return row === undefined ? undefined : toKey(row);
  }
}

/** That of all the accounts, which must exist and agree. */
async function livemodeOf(session: Session, accounts: readonly string[]): Promise<boolean> {
  const livemodes = new Map(await session.rows(call(statements.livemodes, textArray(accounts))));
  const unknown = accounts.find((account) => !livemodes.has(account));
  if (unknown !== undefined) throw new RangeError(`There is no account ${unknown}.`);
  const [livemode, ...others] = new Set(livemodes.values());
  if (livemode === undefined) throw new RangeError('A key is for at least one account.');
  if (others.length > 0) throw new RangeError('A key cannot be for live and test accounts.');
  return livemode;
}

function toKey(row: KeyRow): StoredKey {
  const [unique_identifier, name, livemode, permission, accounts, anchors, resources, ...times] =
    row;
  const [inserted_at, expires_at, revoked_at, last_used_at] = times;
  return {
    unique_identifier,
    name,
    livemode,
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

function fromJson(text: string | null): readonly string[] | null {
  return text === null ? null : (JSON.parse(text) as string[]);
}
