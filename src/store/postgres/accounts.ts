/** Accounts: the operator creates, renames, closes and empties them. */

import {
  type AccountChange,
  type AccountTables,
  accountEntry,
  BECOMES,
  changedAccount,
  newAccount,
  POSITION,
  toAccount,
  VERSION,
} from '../books/accounts.ts';
import { DIALECTS } from '../books/dialects.ts';
import { type EmptiedTables, Emptying } from '../books/emptying.ts';
import type { EmptyingStep } from '../promises/account-book.ts';
import type { LogEntry } from '../promises/log.ts';
import { recordHeld } from '../promises/refusals.ts';
import type { Account } from '../promises/stored.ts';
import { BookRows } from './book-rows.ts';
import { keepersIn, youngAmong } from './commit/keeping.ts';
import type { Context } from './context.ts';
import { accountStatements } from './statements/accounts.ts';
import { CHANGE, log } from './statements/changes.ts';
import { lock } from './statements/commits.ts';
import { arraysOf } from './statements/prepare.ts';
import { inTurn } from './turn/in-turn.ts';
import { inTransaction } from './turn/transaction.ts';
import { type Begun, callsToNumber, newTurn, type Turn } from './turn/turn.ts';
import { settleRooms } from './whole/purge.ts';
import { type Call, call } from './wire/session.ts';

const EMPTIED: EmptiedTables = {
  dialect: DIALECTS.postgres,
  own: 'account = $1',
  atOnce: 500,
  forgets: { of: 'content IS NOT NULL', does: 'UPDATE change SET content = NULL' },
  receipts: [
    { table: 'receipt', order: { owner: '', idempotency_key: '' } },
    { table: 'answered', order: { record: '', version: -1 } },
  ],
  others: [
    { table: 'search_term', order: { term: '', record: '' } },
    { table: 'search_record', order: { record: '' } },
  ],
};

export class Accounts implements AccountTables {
  readonly #context: Context;
  readonly #untimed: Context['sessions'];
  readonly #emptying: Emptying;
  readonly #statements: ReturnType<typeof accountStatements>;

  /** `untimed` sessions have no limits of time. */
  constructor(context: Context, untimed: Context['sessions']) {
    this.#context = context;
    this.#untimed = untimed;
    const tables = new BookRows({ sessions: untimed, placements: context.placements });
    const shapes = [...context.tables.values()].map(({ shape }) => shape);
    this.#emptying = new Emptying(tables, EMPTIED, shapes, context.rooms);
    this.#statements = accountStatements(context.root);
  }

  async create({ name, livemode }: { name: string; livemode: boolean }): Promise<Account> {
    const { root, sessions, identify, now } = this.#context;
    const { insert } = this.#statements;
    const account = identify(root.prefix);
    const { after, keys } = newAccount(root, name);
    const [turn, first] = [newTurn([account], now()), 1];
    const [[row]] = await inTransaction(sessions, async (session) => {
      const numbering = callsToNumber(turn, new Map([[account, first]]), session.place);
      const logging = this.#log(turn, first, { outcome: 'created', version: 1 });
      return Promise.all([
        session.rows(call(insert, account, after, turn.now, livemode, ...keys)),
        ...[...numbering, logging].map((one) => session.run(one)),
      ]);
    });
    return toAccount(row);
  }

  async list(): Promise<readonly Account[]> {
    const rows = await this.#context.sessions.rows(call(this.#statements.list));
    return rows.map(toAccount);
  }

  /** The account as the change leaves it, if there is one. */
  async change(unique_identifier: string, change: AccountChange): Promise<Account | undefined> {
    const { root, keepsContent } = this.#context;
    const { find, update } = this.#statements;
    return inTurn(this.#context, [unique_identifier], {
      read: (session) => session.rows(call(find, unique_identifier)),
      write: (_, [row], turn) => {
        if (row === undefined) return { result: undefined };
        const position = positionIn(turn);
        const changed = changedAccount(root, row, change, { now: turn.now, keepsContent });
        if (changed === undefined) return { result: toAccount(row) };
        const { after, keys, closed_at, content } = changed;
        const [version, before] = [row[VERSION] + 1, row[POSITION]];
        const [, , livemode, inserted_at, , , , , becomes] = row;
        const updated_at = Math.max(turn.now, inserted_at);
        const times = [inserted_at, updated_at, closed_at] as const;
        const left = [unique_identifier, after, livemode, ...times, version, position] as const;
        return {
          result: toAccount([...left, becomes]),
          calls: [
            call(update, unique_identifier, position, after, closed_at, updated_at, ...keys),
            this.#log(turn, position, { outcome: 'updated', version, before, content }),
          ],
        };
      },
    });
  }

  /** Waits for the running commit of the account; nothing is written there afterwards. */
  async beginEmptying(unique_identifier: string, isToGo: boolean): Promise<boolean> {
    const { sessions, now, tables } = this.#context;
    const begin = call(this.#statements.beginEmptying, unique_identifier, now(), isToGo);
    const [, [row]] = await inTransaction(sessions, async (session) => {
      const done = await Promise.all([
        session.rows(call(lock, unique_identifier)),
        session.rows(call(this.#statements.find, unique_identifier)),
        keepersIn(session, unique_identifier),
        session.run(begin),
      ]);
      const keepers = done[2];
      const all = [...tables].flatMap(([resource, { drafts }]) =>
        drafts === undefined ? [] : { resource, ages: drafts.removal.allAges },
      );
      const by =
        keepers.hold ?? (await youngAmong(session, unique_identifier, keepers, all, now()));
      if (by !== undefined) throw recordHeld(by, 'account');
      return done;
    });
    if (row === undefined) return false;
    this.#emptying.begin(unique_identifier, row[BECOMES] !== null);
    return true;
  }

  async emptySome(unique_identifier: string): Promise<EmptyingStep> {
    const [row] = await this.#untimed.rows(call(this.#statements.find, unique_identifier));
    const becomes = row?.[BECOMES];
    if (!becomes) return { removed: new Map(), more: false };
    const { ever, ...piece } = await this.#emptying.some(unique_identifier, becomes);
    if (piece.more) return piece;
    this.#context.remembered.forgetAll();
    await this.#untimed.use((session) => settleRooms(session, this.#context));
    if (becomes === 'gone') await this.#forget(unique_identifier);
    else await this.#endEmptying(unique_identifier, ever);
    return piece;
  }

  async #endEmptying(unique_identifier: string, some: boolean): Promise<void> {
    await inTurn(this.#context, [unique_identifier], {
      read: (session) => session.rows(call(this.#statements.find, unique_identifier)),
      write: (_, [row], turn) => {
        if (row === undefined) return { result: undefined };
        const [version, before] = [row[VERSION], row[POSITION]];
        const entry = { outcome: 'wiped', version, before } as const;
        return {
          result: undefined,
          calls: [
            call(this.#statements.endEmptying, unique_identifier),
            ...(some ? [this.#log(turn, positionIn(turn), entry)] : []),
          ],
        };
      },
    });
  }

  /** Last, what stands for the account itself. */
  #forget(account: string): Promise<void> {
    return inTransaction(this.#untimed, async (session) => {
      for (const each of this.#statements.remove) await session.run(call(each, account));
    });
  }

  /** Reads the log of the one account that the transaction is for. */
  #log(
    { accounts: [account = ''], token, now }: Turn,
    position: number,
    of: Pick<LogEntry, 'outcome' | 'version'> & Partial<LogEntry>,
  ): Call {
    const entry = accountEntry(this.#context.root, account, of);
    const line = { ...entry, account, position, place: 0, token, occurred_at: now };
    return call(log, ...arraysOf(CHANGE, [line]));
  }
}

function positionIn({ accounts: [account = ''], positions }: Turn & Begun): number {
  const position = positions.get(account);
  if (position === undefined) throw new TypeError('An account that is there has no commits.');
  return position;
}
