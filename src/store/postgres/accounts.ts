/** The accounts: made, named, closed and emptied by the operator. */
import { ApiError } from '../../errors.ts';
import { stringify } from '../../schema/json/json.ts';
import { merge } from '../../schema/merge/merge.ts';
import type { JsonObject } from '../../schema/values.ts';
import { storedKeys } from '../indexed.ts';
import { parseDocument } from '../records.ts';
import type { Account, AccountBook } from '../store.ts';
import type { Context } from './context.ts';
import { inTurn } from './in-turn.ts';
import { type Call, call } from './session.ts';
import { type AccountRow, accountStatements } from './statements/accounts.ts';
import { appendFirst } from './statements/commits.ts';
import { sizes, wipe, wipeAnswered } from './statements/receipts.ts';
import { transact } from './transaction.ts';
import { newToken } from './turn.ts';

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
    const { insert } = this.#statements;
    const account = identify(root.prefix);
    const time = now();
    const keys = storedKeys(root, document);
    const [, [row]] = await sessions.use((session) =>
      transact(session, () =>
        Promise.all([
          session.run(call(appendFirst, account, newToken(), time)),
          session.rows(call(insert, account, stringify(document), time, livemode, ...keys)),
        ]),
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
    const { root } = this.#context;
    return this.#change(unique_identifier, ([, text], { position, now }) => {
      const stored = parseDocument(text);
      const document = this.#named(stored, name);
      if (document === stored) return undefined;
      const values = [stringify(document), now, ...storedKeys(root, document)];
      return call(this.#statements.rename, unique_identifier, position, ...values);
    });
  }

  async close(unique_identifier: string): Promise<Account | undefined> {
    return this.#change(unique_identifier, (row, { position, now }) =>
      toAccount(row).closed_at === null
        ? call(this.#statements.setClosed, unique_identifier, position, now, now)
        : undefined,
    );
  }

  async reopen(unique_identifier: string): Promise<Account | undefined> {
    return this.#change(unique_identifier, (row, { position, now }) =>
      toAccount(row).closed_at === null
        ? undefined
        : call(this.#statements.setClosed, unique_identifier, position, null, now),
    );
  }

  async wipe(unique_identifier: string) {
    const wiped = await inTurn(this.#context, this.#unhurried, [unique_identifier], {
      read: (session) => session.rows(call(this.#statements.find, unique_identifier)),
      write: async (session, [row]) => {
        if (row === undefined) return { result: undefined };
        const removed = new Map<string, number>();
        for (const [resource, { drafts }] of this.#context.tables) {
          if (drafts === undefined) continue;
          const { count } = await session.run(call(drafts.wipe, unique_identifier));
          removed.set(resource, count);
        }
        await session.run(call(wipeAnswered, unique_identifier));
        const sizesOfOwners = await session.rows(call(sizes, unique_identifier));
        const wiping = session.run(call(wipe, unique_identifier));
        const taken = sizesOfOwners.map(([owner, bytes]) => ({ owner, bytes: -bytes }));
        return { result: { removed }, sent: [wiping], taken };
      },
    });
    this.#context.remembered.forgetAll();
    return wiped;
  }

  /** The account after what `change` gives was done, if there is such an account. */
  async #change(
    unique_identifier: string,
    change: (
      row: AccountRow,
      commit: { readonly position: number; readonly now: number },
    ) => Call<AccountRow> | undefined,
  ): Promise<Account | undefined> {
    return inTurn(this.#context, this.#context.sessions, [unique_identifier], {
      read: (session) => session.rows(call(this.#statements.find, unique_identifier)),
      write: async (session, [row], { positions, now }) => {
        const position = positions.get(unique_identifier);
        if (row === undefined || position === undefined) return { result: undefined };
        const changing = change(row, { position, now });
        if (changing === undefined) return { result: toAccount(row) };
        const [changed] = await session.rows(changing);
        return { result: toAccount(changed), sent: [] };
      },
    });
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
