/** The accounts: made, named, closed and emptied by the operator. */
import { ApiError } from '../../errors.ts';
import { stringify } from '../../schema/json/json.ts';
import { merge } from '../../schema/merge/merge.ts';
import type { JsonObject } from '../../schema/values.ts';
import type { AccountBook, EmptiedPiece, Told } from '../account-book.ts';
import { backwards } from '../change.ts';
import { emptied } from '../emptying.ts';
import { storedKeys } from '../indexed.ts';
import type { LogEntry } from '../log.ts';
import { parseDocument } from '../records.ts';
import type { Account, Becomes } from '../stored.ts';
import type { Context } from './context.ts';
import { type EmptyingPlace, emptySome, START } from './emptying.ts';
import {
  type AccountRow,
  accountStatements,
  BECOMES,
  POSITION,
  VERSION,
} from './statements/accounts.ts';
import { append } from './statements/changes.ts';
import { appendFirst, lock } from './statements/commits.ts';
import { forgetRejected, forgetRuns } from './statements/imports.ts';
import { inTurn } from './turn/in-turn.ts';
import { inTransaction, transact, untilDone } from './turn/transaction.ts';
import { type Begun, newTurn, type Turn } from './turn/turn.ts';
import { type Call, call, type Session } from './wire/session.ts';

export class Accounts implements AccountBook {
  readonly #context: Context;
  readonly #untimed: Context['sessions'];
  /** By account: where its emptying goes on. */
  readonly #emptied = new Map<string, EmptyingPlace>();
  readonly #statements: ReturnType<typeof accountStatements>;

  /** `untimed` sessions have no limits of time. */
  constructor(context: Context, untimed: Context['sessions']) {
    this.#context = context;
    this.#untimed = untimed;
    this.#statements = accountStatements(context.root);
  }

  async create({ name, livemode }: { name: string; livemode: boolean }): Promise<Account> {
    const { root, sessions, identify, now } = this.#context;
    const document = this.#named(undefined, name);
    const { insert } = this.#statements;
    const account = identify(root.prefix);
    const keys = storedKeys(root, document);
    const [turn, first] = [newTurn([account], now()), 1];
    const [, [row]] = await inTransaction(sessions, (session) =>
      Promise.all([
        session.run(call(appendFirst, account, turn.token, turn.now)),
        session.rows(call(insert, account, stringify(document), turn.now, livemode, ...keys)),
        session.run(this.#log(turn, first, { outcome: 'created', version: 1, before: 0 })),
      ]),
    );
    return toAccount(row);
  }

  async list(): Promise<readonly Account[]> {
    const rows = await this.#context.sessions.rows(call(this.#statements.list));
    return rows.map(toAccount);
  }

  async rename(unique_identifier: string, name: string): Promise<Account | undefined> {
    const { root, keepsContent } = this.#context;
    return this.#change(unique_identifier, ([, text], { position, now }) => {
      const stored = parseDocument(text);
      const document = this.#named(stored, name);
      if (document === stored) return undefined;
      const after = stringify(document);
      const values = [after, now, ...storedKeys(root, document)];
      return {
        does: call(this.#statements.rename, unique_identifier, position, ...values),
        content: keepsContent ? backwards(after, text) : null,
      };
    });
  }

  async close(unique_identifier: string): Promise<Account | undefined> {
    return this.#setClosed(unique_identifier, true);
  }

  async reopen(unique_identifier: string): Promise<Account | undefined> {
    return this.#setClosed(unique_identifier, false);
  }

  async #setClosed(unique_identifier: string, closed: boolean): Promise<Account | undefined> {
    return this.#change(unique_identifier, (row, { position, now }) => {
      if ((toAccount(row).closed_at !== null) === closed || row[BECOMES] !== null) return undefined;
      const at = closed ? now : null;
      const does = call(this.#statements.setClosed, unique_identifier, position, at, now);
      return { does, content: null };
    });
  }

  wipe(unique_identifier: string, told?: Told) {
    return emptied(this, unique_identifier, false, told);
  }

  /** Waits for the commit that is under way in the account; after this nothing is written there. */
  async beginEmptying(unique_identifier: string, isToGo: boolean): Promise<boolean> {
    const { sessions, now } = this.#context;
    const begin = call(this.#statements.beginEmptying, unique_identifier, now(), isToGo);
    const [, [row]] = await inTransaction(sessions, (session) =>
      Promise.all([
        session.rows(call(lock, unique_identifier)),
        session.rows(call(this.#statements.find, unique_identifier)),
        session.run(begin),
      ]),
    );
    if (row === undefined) return false;
    // Where it was begun before, something may have gone already.
    this.#emptied.set(unique_identifier, { ...START, ever: row[BECOMES] !== null });
    return true;
  }

  async emptySome(unique_identifier: string): Promise<EmptiedPiece> {
    return this.#untimed.use(async (session) => {
      const [row] = await session.rows(call(this.#statements.find, unique_identifier));
      const becomes = row?.[BECOMES] ?? null;
      if (becomes === null) return { removed: new Map(), more: false };
      const account = { account: unique_identifier, becomes };
      const at = this.#emptied.get(unique_identifier) ?? START;
      const { piece, next, freed } = await emptySome(this.#context, session, account, at);
      this.#emptied.set(unique_identifier, next);
      for (const one of freed) this.#context.rooms.take(one);
      if (piece.more) return piece;
      this.#emptied.delete(unique_identifier);
      this.#context.remembered.forgetAll();
      await this.#context.rooms.settle(session);
      await this.#forgetImports(session, account);
      if (becomes === 'gone') await this.#forget(session, unique_identifier);
      else await this.#endEmptying(unique_identifier, next.ever);
      return piece;
    });
  }

  async #endEmptying(unique_identifier: string, some: boolean): Promise<void> {
    await inTurn(this.#context, this.#context.sessions, [unique_identifier], {
      read: (session) => session.rows(call(this.#statements.find, unique_identifier)),
      write: async (session, [row], turn) => {
        if (row === undefined) return { result: undefined };
        const [version, before] = [row[VERSION], row[POSITION]];
        const entry = { outcome: 'wiped', version, before } as const;
        return {
          result: undefined,
          sent: [
            session.run(call(this.#statements.endEmptying, unique_identifier)),
            ...(some ? [session.run(this.#log(turn, positionIn(turn), entry))] : []),
          ],
        };
      },
    });
  }

  /** Rows that imports into the account could not take; and where it is to go, imports into it alone. */
  async #forgetImports(
    session: Session,
    { account, becomes }: { readonly account: string; readonly becomes: Becomes },
  ): Promise<void> {
    await session.run(call(forgetRejected, account));
    if (becomes === 'gone') await session.run(call(forgetRuns, account));
  }

  /** Last, what stands for the account itself. */
  async #forget(session: Session, account: string): Promise<void> {
    await untilDone(() =>
      transact(session, async () => {
        for (const each of this.#statements.remove) await session.run(call(each, account));
      }),
    );
  }

  /** The account after what `change` gives was done, if there is such an account. */
  async #change(
    unique_identifier: string,
    change: (
      row: AccountRow,
      commit: { readonly position: number; readonly now: number },
    ) =>
      | {
          readonly does: Call<AccountRow>;
          /** For the log. */
          readonly content: string | null;
        }
      | undefined,
  ): Promise<Account | undefined> {
    return inTurn(this.#context, this.#context.sessions, [unique_identifier], {
      read: (session) => session.rows(call(this.#statements.find, unique_identifier)),
      write: async (session, [row], turn) => {
        if (row === undefined) return { result: undefined };
        const position = positionIn(turn);
        const changing = change(row, { position, now: turn.now });
        if (changing === undefined) return { result: toAccount(row) };
        const { does, content } = changing;
        const [version, before] = [row[VERSION] + 1, row[POSITION]];
        const [[changed]] = await Promise.all([
          session.rows(does),
          session.run(this.#log(turn, position, { outcome: 'updated', version, before, content })),
        ]);
        return { result: toAccount(changed), sent: [] };
      },
    });
  }

  /** Of the one account that the turn is for. */
  #log(
    { accounts: [account], token, now }: Turn,
    position: number,
    { outcome, version, before, content = null }: Logged,
  ): Call {
    const { resource } = this.#context.root;
    const entry = [resource, account, null, outcome, version, before, null, now, content];
    return call(append, account, position, token, ...entry);
  }

  #named(stored: JsonObject | undefined, name: string): JsonObject {
    const { document, faults } = merge(this.#context.root.document, stored, { name });
    if (faults !== undefined) throw new ApiError(faults);
    return document;
  }
}

type Logged = Pick<LogEntry, 'outcome' | 'version' | 'before'> & Partial<LogEntry>;

function positionIn({ accounts: [account = ''], positions }: Turn & Begun): number {
  const position = positions.get(account);
  if (position === undefined) throw new TypeError('An account that is there has no commits.');
  return position;
}

function toAccount(row: AccountRow | undefined): Account {
  if (row === undefined) throw new TypeError('An account that was just written is not there.');
  const [unique_identifier, document, livemode, inserted_at, updated_at, closed_at] = row;
  const becomes = row[BECOMES];
  return {
    unique_identifier,
    name: String(parseDocument(document).name),
    livemode,
    inserted_at,
    updated_at,
    closed_at,
    ...(becomes === null ? {} : { becomes }),
  };
}
