/** The accounts: made, named, closed and emptied by the operator. */
import { ApiError } from '../../errors.ts';
import { stringify } from '../../schema/json.ts';
import { merge } from '../../schema/merge.ts';
import type { JsonObject } from '../../schema/values.ts';
import { storedKeys } from '../indexed.ts';
import { parseDocument } from '../records.ts';
import type { Account, AccountBook } from '../store.ts';
import type { Context } from './context.ts';
import { call, type Session } from './session.ts';
import { type AccountRow, accountStatements } from './statements/accounts.ts';
import { keepOut, lockOf } from './statements/commits.ts';
import { sizes, wipe, wipeAnswered } from './statements/receipts.ts';
import { transact } from './transaction.ts';

export class Accounts implements AccountBook {
  readonly #context: Context;
  readonly #unhurried: Context['sessions'];
  readonly #statements: ReturnType<typeof accountStatements>;

  /** `unhurried` is for work that takes as long as it takes. */
  constructor(context: Context, unhurried: Context['sessions']) {
    this.#context = context;
    this.#unhurried = unhurried;
    this.#statements = accountStatements(context.root);
  }

  async create({ name, livemode }: { name: string; livemode: boolean }): Promise<Account> {
    const { root, sessions, identify, now } = this.#context;
    const document = this.#named(undefined, name);
    const text = stringify(document);
    const keys = storedKeys(root, document);
    const { insert } = this.#statements;
    const [row] = await sessions.use((session) =>
      transact(session, () =>
        session.rows(call(insert, identify(root.prefix), text, now(), livemode, ...keys)),
      ),
    );
    return toAccount(row);
  }

  async list(): Promise<readonly Account[]> {
    const rows = await this.#context.sessions.use((session) =>
      session.rows(call(this.#statements.list)),
    );
    return rows.map(toAccount);
  }

  async rename(unique_identifier: string, name: string): Promise<Account | undefined> {
    const { root, now } = this.#context;
    return this.#change(unique_identifier, async (session, [, text]) => {
      const stored = parseDocument(text);
      const document = this.#named(stored, name);
      if (document === stored) return undefined;
      const keys = storedKeys(root, document);
      return session.rows(
        call(this.#statements.rename, unique_identifier, stringify(document), now(), ...keys),
      );
    });
  }

  async close(unique_identifier: string): Promise<Account | undefined> {
    const { now } = this.#context;
    return this.#change(unique_identifier, async (session, row) => {
      if (toAccount(row).closed_at !== null) return undefined;
      const time = now();
      return session.rows(call(this.#statements.setClosed, unique_identifier, time, time));
    });
  }

  async reopen(unique_identifier: string): Promise<Account | undefined> {
    const { now } = this.#context;
    return this.#change(unique_identifier, async (session, row) => {
      if (toAccount(row).closed_at === null) return undefined;
      return session.rows(call(this.#statements.setClosed, unique_identifier, null, now()));
    });
  }

  async wipe(unique_identifier: string) {
    const work = async (session: Session) => {
      const [, [row]] = await Promise.all([
        session.run(call(keepOut, lockOf(unique_identifier))),
        session.rows(call(this.#statements.take, unique_identifier)),
      ]);
      if (row === undefined) return undefined;
      const removed = new Map<string, number>();
      for (const [resource, { drafts }] of this.#context.tables) {
        if (drafts === undefined) continue;
        const { count } = await session.run(call(drafts.wipe, unique_identifier));
        removed.set(resource, count);
      }
      await session.run(call(wipeAnswered, unique_identifier));
      const sizesOfOwners = await session.rows(call(sizes, unique_identifier));
      await session.run(call(wipe, unique_identifier));
      return { removed, sizesOfOwners };
    };
    const wiped = await this.#unhurried.use((session) => transact(session, () => work(session)));
    const { remembered, rooms } = this.#context;
    remembered.forgetAll();
    for (const [owner, bytes] of wiped?.sizesOfOwners ?? []) rooms.take({ owner, bytes: -bytes });
    return wiped && { removed: wiped.removed };
  }

  /** The account after `change` has had it, if there is such an account; nobody writes in it meanwhile. */
  async #change(
    unique_identifier: string,
    change: (session: Session, row: AccountRow) => Promise<readonly AccountRow[] | undefined>,
  ): Promise<Account | undefined> {
    const work = async (session: Session) => {
      const [, [row]] = await Promise.all([
        session.run(call(keepOut, lockOf(unique_identifier))),
        session.rows(call(this.#statements.take, unique_identifier)),
      ]);
      if (row === undefined) return undefined;
      const [changed] = (await change(session, row)) ?? [row];
      return toAccount(changed);
    };
    return this.#context.sessions.use((session) => transact(session, () => work(session)));
  }

  #named(stored: JsonObject | undefined, name: string): JsonObject {
    const { document, faults } = merge(this.#context.root.document, stored, { name });
    if (faults !== undefined) throw new ApiError(faults);
    return document;
  }
}

function toAccount(row: AccountRow | undefined): Account {
  if (row === undefined) throw new TypeError('An account that was just written is not there.');
  const [unique_identifier, document, livemode, inserted_at, updated_at, closed_at] = row;
  return {
    unique_identifier,
    name: String(parseDocument(document).name),
    livemode,
    inserted_at,
    updated_at,
    closed_at,
  };
}
