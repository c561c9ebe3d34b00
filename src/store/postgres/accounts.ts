/** Accounts: the operator creates, renames, closes and empties them. */
import {
  type AccountLog,
  type AccountRow,
  type AccountTables,
  accountEntry,
  accountStatements,
  accountTablesOver,
  BECOMES,
  newAccount,
  toAccount,
} from '../books/accounts.ts';
import { DIALECTS } from '../books/dialects.ts';
import { type EmptiedTables, emptyingOver } from '../books/emptying.ts';
import { recordHeld } from '../promises/refusals.ts';
import { StoreUnavailable, StoreUnsure } from '../promises/store.ts';
import { callOf, createBookRows, statementOf } from './book-rows.ts';
import { keepersIn, youngAmong } from './commit/keepers.ts';
import { settleRooms } from './commit/receipts.ts';
import type { Context } from './context.ts';
import { callsToNumber, type Locked, type Locking, newLocking } from './lock/lock.ts';
import { inTransaction } from './lock/transaction.ts';
import { underLock } from './lock/under-lock.ts';
import { CHANGE, log } from './statements/changes.ts';
import { forget as forgetCommits, lock } from './statements/commits.ts';
import { arraysOf } from './statements/prepare.ts';
import { forget as forgetMark } from './statements/search.ts';
import { type Call, call } from './wire/session.ts';

/** Servers that may be down while an account is made. */
const MOST_LOST = 8;
/** Identifiers that are tried for one at another server. */
const MOST_TRIED = 100;

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
  const { root, keepsContent } = context;
  const tables = createBookRows({ sessions: untimed, placements: context.placements });
  const emptying = emptyingOver(tables, EMPTIED, context.shapes, context.rooms);
  const sql = accountStatements(root);
  const find = statementOf<AccountRow>(sql.find);

  /** Reads the log of the one account that the transaction is for. */
  function logged(
    { accounts: [account = ''], token, now }: Locking,
    position: number,
    of: AccountLog,
  ): Call {
    const entry = accountEntry(root, account, of);
    const line = { ...entry, account, position, place: 0, token, occurred_at: now };
    return call(log, ...arraysOf(CHANGE, [line]));
  }

  /** An identifier of an account that would not lie at those servers; `undefined`: there is no other one. */
  async function outside(servers: ReadonlySet<string>): Promise<string | undefined> {
    const { identify, placements } = context;
    for (let tried = 0; tried < MOST_TRIED; tried += 1) {
      const account = identify(root.prefix);
      if (!servers.has(await placements.locate(account))) return account;
    }
    return undefined;
  }

  async function createAs(
    account: string,
    { name, livemode }: Parameters<AccountTables['create']>[0],
  ) {
    const { sessions, machine } = context;
    const { after, keys } = newAccount(root, name);
    const [locking, first] = [newLocking([account], machine()), 1];
    const insert = [sql.insert, account, account, after, locking.now, livemode, ...keys] as const;
    const [[row]] = await inTransaction(sessions, async (session) => {
      const numbering = callsToNumber(locking, new Map([[account, first]]), session.place);
      const logging = logged(locking, first, { outcome: 'created', version: 1 });
      return Promise.all([
        session.rows(callOf<AccountRow>(insert)),
        ...[...numbering, logging].map((one) => session.run(one)),
      ]);
    });
    return toAccount(row);
  }

  return accountTablesOver({
    ...{ root, keepsContent, tables, sql, emptying },
    commit(account, judge) {
      return underLock(context, [account], {
        read: (session) => session.rows(call(find, account)),
        write: (_, [row], locked) => {
          const position = () => positionIn(locked);
          const done = judge(row, { now: locked.now, position });
          const calls = done.write && [callOf(done.write)];
          if (done.logged !== undefined) calls?.push(logged(locked, position(), done.logged));
          return { result: done.result, calls };
        },
      });
    },
    /** Chooses a server that answers, in a cluster. */
    async create({ name, livemode }) {
      const { identify, placements } = context;
      const lost = new Set<string>();
      for (let account = identify(root.prefix); ; ) {
        try {
          return await createAs(account, { name, livemode });
        } catch (error) {
          const isDone = !(error instanceof StoreUnavailable) || error instanceof StoreUnsure;
          if (placements.together || isDone || lost.size === MOST_LOST) throw error;
          lost.add(await placements.locate(account));
          const other = await outside(lost);
          if (other === undefined) throw error;
          account = other;
        }
      }
    },
    /** Waits for the running commit of the account; nothing is written there afterwards. */
    async beginEmptying(account, isRemoved) {
      const { sessions, now } = context;
      const row = await inTransaction(sessions, async (session) => {
        const [, [found], keepers] = await Promise.all([
          session.rows(call(lock, account)),
          session.rows(call(find, account)),
          keepersIn(session, account),
          session.run(callOf([sql.beginEmptying, account, now(), isRemoved])),
        ]);
        const all = [...context.tables].flatMap(([resource, { drafts }]) =>
          drafts ? { resource, ages: drafts.removal.allAges } : [],
        );
        const by = keepers.hold ?? (await youngAmong(session, account, keepers, all, now()));
        if (by !== undefined) throw recordHeld(by, 'account');
        return found;
      });
      if (row === undefined) return false;
      emptying.begin(account, row[BECOMES] !== null);
      return true;
    },
    async settle() {
      context.remembered.forgetAll();
      await settleRooms(untimed, context);
    },
    /** Its own row first, so that no commit follows. */
    forget(account) {
      return inTransaction(untimed, async (session) => {
        await session.run(callOf([sql.remove, account]));
        for (const each of [forgetCommits, forgetMark]) await session.run(call(each, account));
      });
    },
  });
}

function positionIn({ accounts: [account = ''], positions }: Locked): number {
  const position = positions.get(account);
  if (position === undefined) throw new TypeError('An account that is there has no commits.');
  return position;
}
