/** Accounts: the operator creates, renames, closes and empties them. */

import {
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
import { type EmptiedTables, emptyingOver } from '../books/emptying.ts';
import type { LogEntry } from '../promises/log.ts';
import { recordHeld } from '../promises/refusals.ts';
import { createBookRows } from './book-rows.ts';
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

export function createAccounts(context: Context, untimed: Context['sessions']): AccountTables {
  const tables = createBookRows({ sessions: untimed, placements: context.placements });
  const shapes = [...context.tables.values()].map(({ shape }) => shape);
  const emptying = emptyingOver(tables, EMPTIED, shapes, context.rooms);
  const statements = accountStatements(context.root);

  async function endEmptying(unique_identifier: string, some: boolean): Promise<void> {
    await inTurn(context, [unique_identifier], {
      read: (session) => session.rows(call(statements.find, unique_identifier)),
      write: (_, [row], turn) => {
        if (row === undefined) return { result: undefined };
        const [version, before] = [row[VERSION], row[POSITION]];
        const entry = { outcome: 'wiped', version, before } as const;
        return {
          result: undefined,
          calls: [
            call(statements.endEmptying, unique_identifier),
            ...(some ? [logged(turn, positionIn(turn), entry)] : []),
          ],
        };
      },
    });
  }

  /** Last, what stands for the account itself. */
  function forget(account: string): Promise<void> {
    return inTransaction(untimed, async (session) => {
      for (const each of statements.remove) await session.run(call(each, account));
    });
  }

  /** Reads the log of the one account that the transaction is for. */
  function logged(
    { accounts: [account = ''], token, now }: Turn,
    position: number,
    of: Pick<LogEntry, 'outcome' | 'version'> & Partial<LogEntry>,
  ): Call {
    const entry = accountEntry(context.root, account, of);
    const line = { ...entry, account, position, place: 0, token, occurred_at: now };
    return call(log, ...arraysOf(CHANGE, [line]));
  }

  return {
    async create({ name, livemode }) {
      const { root, sessions, identify, now } = context;
      const { insert } = statements;
      const account = identify(root.prefix);
      const { after, keys } = newAccount(root, name);
      const [turn, first] = [newTurn([account], now()), 1];
      const [[row]] = await inTransaction(sessions, async (session) => {
        const numbering = callsToNumber(turn, new Map([[account, first]]), session.place);
        const logging = logged(turn, first, { outcome: 'created', version: 1 });
        return Promise.all([
          session.rows(call(insert, account, after, turn.now, livemode, ...keys)),
          ...[...numbering, logging].map((one) => session.run(one)),
        ]);
      });
      return toAccount(row);
    },
    async list() {
      const rows = await context.sessions.rows(call(statements.list));
      return rows.map(toAccount);
    },
    /** The account as the change leaves it, if there is one. */
    async change(unique_identifier, change) {
      const { root, keepsContent } = context;
      const { find, update } = statements;
      return inTurn(context, [unique_identifier], {
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
              logged(turn, position, { outcome: 'updated', version, before, content }),
            ],
          };
        },
      });
    },
    /** Waits for the running commit of the account; nothing is written there afterwards. */
    async beginEmptying(unique_identifier, isRemoved) {
      const { sessions, now, tables } = context;
      const begin = call(statements.beginEmptying, unique_identifier, now(), isRemoved);
      const [, [row]] = await inTransaction(sessions, async (session) => {
        const done = await Promise.all([
          session.rows(call(lock, unique_identifier)),
          session.rows(call(statements.find, unique_identifier)),
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
      emptying.begin(unique_identifier, row[BECOMES] !== null);
      return true;
    },
    contents: (unique_identifier) => emptying.contents(unique_identifier),
    async emptySome(unique_identifier) {
      const [row] = await untimed.rows(call(statements.find, unique_identifier));
      const becomes = row?.[BECOMES];
      if (!becomes) return undefined;
      const { ever, removed } = await emptying.some(unique_identifier, becomes);
      if (removed !== undefined) return removed;
      context.remembered.forgetAll();
      await untimed.use((session) => settleRooms(session, context));
      if (becomes === 'gone') await forget(unique_identifier);
      else await endEmptying(unique_identifier, ever);
      return undefined;
    },
  };
}

function positionIn({ accounts: [account = ''], positions }: Turn & Begun): number {
  const position = positions.get(account);
  if (position === undefined) throw new TypeError('An account that is there has no commits.');
  return position;
}
