/** The API keys: told apart by the hash of their secret, judged when they are shown. */
import { changedValues, judgeKey, type KeyRow, livemodeOf, toKey } from '../key-rows.ts';
import type { FoundKey, KeyChange, KeyRing, NewKey, StoredKey } from '../keys.ts';
import type { Context } from './context.ts';
import { maybeOpen } from './schema/distribution.ts';
import * as statements from './statements/keys.ts';
import { inTransaction } from './turn/transaction.ts';
import { isOutOfReach } from './wire/failure.ts';
import { type Call, call, type Session, type Statement } from './wire/session.ts';
import { bytes, numberArray, textArray } from './wire/values.ts';

const PREFIX = 'key_';

const CHANGES: Readonly<Record<KeyChange['does'], Statement>> = {
  revoke: statements.revoke,
  suspend: statements.suspend,
  resume: statements.resume,
  expire: statements.expire,
  grant: statements.grant,
};

export class Keys implements KeyRing {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
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
    const { sessions, identify } = this.#context;
    const work = async (session: Session) => {
      await this.#change(session, changes);
      const accounts = [...new Set(keys.flatMap((key) => key.accounts))];
      const found = new Map(await session.rows(call(statements.livemodes, textArray(accounts))));
      const inserts = keys.map((key) => {
        const known = key.accounts.flatMap((account) => {
          const livemode = found.get(account);
          return livemode === undefined ? [] : [[account, livemode] as const];
        });
        return this.#insert(key, identify(PREFIX), livemodeOf(key.accounts, new Map(known)));
      });
      const identifiers = inserts.map(({ values }) => String(values[0]));
      const written = inserts.map((insert) => session.run(insert));
      const [rows] = await Promise.all([
        session.rows(call(statements.some, textArray(identifiers))),
        ...written,
      ]);
      return rows.map(toKey);
    };
    return inTransaction(sessions, work);
  }

  async changeAll(changes: readonly KeyChange[]): Promise<readonly StoredKey[]> {
    return inTransaction(this.#context.sessions, (session) => this.#change(session, changes));
  }

  async list(): Promise<readonly StoredKey[]> {
    const rows = await this.#context.sessions.rows(call(statements.list));
    return rows.map(toKey);
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
    const { accounts, anchors = null } = scope ?? {};
    await this.#context.sessions.run(
      accounts === undefined
        ? call(statements.remove, unique_identifier)
        : call(
            statements.limit,
            unique_identifier,
            textArray(accounts),
            anchors && textArray(anchors),
          ),
    );
  }

  async authenticate(hash: Uint8Array): Promise<FoundKey> {
    return this.#judge(call(statements.withHash, bytes(hash)));
  }

  async find(unique_identifier: string): Promise<FoundKey> {
    return this.#judge(call(statements.one, unique_identifier));
  }

  async touch(used: ReadonlyMap<string, number>): Promise<void> {
    const identifiers = textArray([...used.keys()]);
    const times = numberArray([...used.values()]);
    await inTransaction(this.#context.sessions, (session) =>
      Promise.all([
        session.run(call(statements.take, identifiers)),
        session.run(call(statements.touch, identifiers, times)),
      ]),
    );
  }

  async #judge(asked: Call<KeyRow<boolean>>): Promise<FoundKey> {
    const { sessions, now, distribution } = this.#context;
    return sessions.use(async (session) => {
      const [row] = await session.rows(asked);
      const key = row === undefined ? undefined : toKey(row);
      const accounts = key?.accounts ?? NONE;
      const open = await openOf(session, accounts).catch((error: unknown) => {
        if (distribution === undefined || !isOutOfReach(error)) throw error;
        return maybeOpen(session, accounts);
      });
      return judgeKey(key, (account) => open.has(account), now());
    });
  }

  #insert(key: NewKey, unique_identifier: string, livemode: boolean): Call {
    return call(
      statements.insert,
      unique_identifier,
      bytes(key.hash),
      key.name,
      key.ending,
      livemode,
      textArray(key.accounts),
      key.anchors && textArray(key.anchors),
      textArray(key.permissions),
      key.resources && textArray(key.resources),
      textArray(key.allow),
      key.from && textArray(key.from),
      key.rate,
      key.concurrent,
      this.#context.now(),
      key.expires_at,
    );
  }

  async #changeOne(change: KeyChange): Promise<StoredKey | undefined> {
    const [found] = await this.#context.sessions.rows(
      call(statements.one, change.unique_identifier),
    );
    if (found === undefined) return undefined;
    const [key] = await this.changeAll([change]);
    return key;
  }

  /** Within a transaction. */
  async #change(session: Session, changes: readonly KeyChange[]): Promise<readonly StoredKey[]> {
    if (changes.length === 0) return [];
    const identifiers = textArray(changes.map(({ unique_identifier }) => unique_identifier));
    const now = this.#context.now();
    const calls = changes.map((change) =>
      call(
        CHANGES[change.does],
        change.unique_identifier,
        ...changedValues(change, now, textArray),
      ),
    );
    // In one order, so that none waits for another that waits for it.
    const taken = session.run(call(statements.take, identifiers));
    const sent = calls.map((one) => session.run(one));
    const [rows] = await Promise.all([
      session.rows(call(statements.some, identifiers)),
      taken,
      ...sent,
    ]);
    const keys = new Map(rows.map((row) => [row[0], toKey(row)]));
    return changes.map(({ unique_identifier }) => {
      const key = keys.get(unique_identifier);
      if (key === undefined) throw new RangeError(`There is no key ${unique_identifier}.`);
      return key;
    });
  }
}

/** What is queried when there is no key, so that it takes as long as for one. */
const NONE = ['no account'];

async function openOf(session: Session, accounts: readonly string[]): Promise<ReadonlySet<string>> {
  const [only] = accounts;
  const rows = await session.rows(
    accounts.length === 1
      ? call(statements.open, only)
      : call(statements.openAmong, textArray(accounts)),
  );
  return new Set(rows.map(([account]) => account));
}
