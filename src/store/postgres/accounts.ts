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
import { keepersIn, youngAmong } from './commit/keepers.ts';
import { settleRooms } from './commit/receipts.ts';
import type { Context } from './context.ts';
import { callsToNumber, type Locked, type Locking, newLocking } from './lock/lock.ts';
import { inTransaction } from './lock/transaction.ts';
import { underLock } from './lock/under-lock.ts';
import { accountStatements } from './statements/accounts.ts';
import { CHANGE, log } from './statements/changes.ts';
import { lock } from './statements/commits.ts';
import { arraysOf } from './statements/prepare.ts';
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
  const emptying = emptyingOver(tables, EMPTIED, context.shapes, context.rooms);
  const statements = accountStatements(context.root);

  async function endEmptying(unique_identifier: string, some: boolean): Promise<void> {
    await underLock(context, [unique_identifier], {
      read: (session) => session.rows(call(statements.find, unique_identifier)),
      write: (_, [row], locked) => {
        // Another process has ended it.
        if (row === undefined || row[BECOMES] === null) return { result: undefined };
        const end = call(statements.endEmptying, unique_identifier);
        const [version, before] = [row[VERSION], row[POSITION]];
        const wiped = { outcome: 'wiped', version, before } as const;
        const calls = some ? [end, logged(locked, positionIn(locked), wiped)] : [end];
        return { result: undefined, calls };
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
    { accounts: [account = ''], token, now }: Locking,
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
      const account = identify(root.prefix);
      const { after, keys } = newAccount(root, name);
      const [locking, first] = [newLocking([account], now()), 1];
      const [[row]] = await inTransaction(sessions, async (session) => {
        const numbering = callsToNumber(locking, new Map([[account, first]]), session.place);
        const logging = logged(locking, first, { outcome: 'created', version: 1 });
        return Promise.all([
          session.rows(call(statements.insert, account, after, locking.now, livemode, ...keys)),
          ...[...numbering, logging].map((one) => session.run(one)),
        ]);
      });
      return toAccount(row);
    },
    async list() {
      const rows = await context.sessions.rows(call(statements.list));
      return rows.map(toAccount);
    },
    async change(unique_identifier, change) {
      const { root, keepsContent } = context;
      return underLock(context, [unique_identifier], {
        read: (session) => session.rows(call(statements.find, unique_identifier)),
        write: (_, [row], locked) => {
          if (row === undefined) return { result: undefined };
          const position = positionIn(locked);
          const changed = changedAccount(root, row, change, { now: locked.now, keepsContent });
          if (changed === undefined) return { result: toAccount(row) };
          const { after, keys, closed_at, content } = changed;
          const [version, before] = [row[VERSION] + 1, row[POSITION]];
          const [, , livemode, inserted_at, , , , , becomes] = row;
          const updated_at = Math.max(locked.now, inserted_at);
          const times = [inserted_at, updated_at, closed_at] as const;
          const left = [unique_identifier, after, livemode, ...times, version, position] as const;
          return {
            result: toAccount([...left, becomes]),
            calls: [
              call(
                statements.update,
                ...[unique_identifier, position, after, closed_at, updated_at, ...keys],
              ),
              logged(locked, position, { outcome: 'updated', version, before, content }),
            ],
          };
        },
      });
    },
    /** Waits for the running commit of the account; nothing is written there afterwards. */
    async beginEmptying(unique_identifier, isRemoved) {
      const { sessions, now, tables } = context;
      const begin = call(statements.beginEmptying, unique_identifier, now(), isRemoved);
      const row = await inTransaction(sessions, async (session) => {
        const [, [found], keepers] = await Promise.all([
          session.rows(call(lock, unique_identifier)),
          session.rows(call(statements.find, unique_identifier)),
          keepersIn(session, unique_identifier),
          session.run(begin),
        ]);
        const all = [...tables].flatMap(([resource, { drafts }]) =>
          drafts === undefined ? [] : { resource, ages: drafts.removal.allAges },
        );
        const by =
          keepers.hold ?? (await youngAmong(session, unique_identifier, keepers, all, now()));
        if (by !== undefined) throw recordHeld(by, 'account');
        return found;
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

function positionIn({ accounts: [account = ''], positions }: Locked): number {
  const position = positions.get(account);
  if (position === undefined) throw new TypeError('An account that is there has no commits.');
  return position;
}
