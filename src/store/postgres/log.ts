/** Reads the log of changes, and removes old entries. */
import { eachNoted } from '../../core/each-account.ts';
import { named, toCursor, toTimedCursor } from '../images.ts';
import {
  type ChangeCursor,
  type ChangeRow,
  changesBack,
  EXPIRED,
  retentionMs,
  rowToSweep,
  type StoredLog,
  type Tombstone,
  toChange,
  withRemovals,
} from '../promises/log.ts';
import { storeWorks } from '../promises/works.ts';
import { keepersIn } from './commit/keepers.ts';
import type { Context } from './context.ts';
import { inAccount } from './lock/transaction.ts';
import type { Work } from './placement/placements.ts';
import * as statements from './statements/changes.ts';
import { lastPosition } from './statements/commits.ts';
import { type Call, call, type Session } from './wire/session.ts';
import { numberArray, textArray } from './wire/values.ts';

/** Changes that are removed in one transaction. */
const SWEPT_AT_ONCE = 500;
/** How many accounts are examined at a time. */
const ACCOUNTS_AT_ONCE = 100;

const toStored = named<Omit<Tombstone, 'account'>>(
  ...(['position', 'parent', 'external_identifier', 'inserted_at'] as const),
  ...(['removal', 'below', 'created_by', 'record'] as const),
);

export function createLog(context: Context, historyDays: number): StoredLog {
  /** The account that was last examined for old entries. */
  let looked = '';
  const { each, tell } = eachNoted(storeWorks.sweeping);
  const lastsMs = retentionMs(historyDays);

  async function lastOf(account: string) {
    const [row] = await at(account).rows(call(statements.last, account));
    return row && toCursor(row);
  }

  async function removedOf(account: string, which: Call<statements.GoneRow>) {
    return at(account).use(async (session) => {
      const gone = (await session.rows(which)).map((row) => toGone(account, row));
      const positions = numberArray([...new Set(gone.map(({ position }) => position))]);
      const records = textArray(gone.map(({ record }) => record));
      const rows = await session.rows(call(statements.removalsOf, account, positions, records));
      const removals = rows.map((row) => toChange(account, row));
      return withRemovals(gone, removals);
    });
  }

  async function sweepIn(account: string, until: number): Promise<boolean> {
    const rows = await at(account).rows(call(statements.oldest, account, SWEPT_AT_ONCE + 1));
    const old = rowToSweep(rows, until);
    if (old === undefined) return false;
    const { position, place, expires } = old;
    return inAccount(context.placements, account, async (session) => {
      if ((await keepersIn(session, account)).hold !== undefined) return false;
      const remove = expires ? statements.expire : statements.remove;
      await Promise.all([
        session.run(call(statements.removeGone, account, position, place)),
        session.run(call(remove, account, position, place)),
      ]);
      return true;
    });
  }

  function at(account: string): Work {
    return context.placements.at([account], 'read');
  }

  async function inEach<T>(
    accounts: readonly string[],
    read: (session: Session, account: string) => Promise<T>,
  ): Promise<readonly T[]> {
    const found = await context.placements.each(accounts, (session, own) =>
      Promise.all(own.map((account) => read(session, account))),
    );
    return found.flat() as T[];
  }

  async function hasAfter(account: string, change: ChangeCursor | undefined): Promise<boolean> {
    const last = change && (await lastOf(account));
    if (change === undefined || last === undefined) return false;
    return (last.position - change.position || last.place - change.place) > 0;
  }

  return {
    last: lastOf,
    async read({ account, after, limit, bytes, documents = false }) {
      const { position = 0, place = 0 } = after ?? {};
      // One for the mark, and one that shows whether there are more.
      const most = limit + 1 + (after === undefined ? 0 : 1);
      const { read, first } = statements;
      const { rows, oldest } = await at(account).use(async (session) => {
        const page = call(read, account, position, place, most, bytes, documents);
        const rows = await session.rows(page);
        const there = after === undefined || (rows[0] !== undefined && isAt(rows[0], after));
        return there ? { rows } : { rows, oldest: await session.rows(call(first, account)) };
      });
      if (oldest !== undefined) {
        return position < (oldest[0]?.[0] ?? Number.POSITIVE_INFINITY) ? 'expired' : 'rewound';
      }
      const found = rows
        .slice(after === undefined ? 0 : 1)
        .filter(([, , , , , , outcome]) => outcome !== EXPIRED.outcome);
      const changes = found.slice(0, limit).map((row) => toChange(account, row));
      context.reportDamage(changes);
      // Short of the request: there were too many bytes, or there are no more.
      const more = rows.length === most || (await hasAfter(account, changes.at(-1)));
      return { changes, more };
    },
    async lastUpTo(account, position) {
      const [row] = await at(account).rows(call(statements.lastUpTo, account, position));
      return row && toTimedCursor(row);
    },
    async doneSince({ account, after, time, limit }) {
      const [row] = await at(account).rows(call(statements.doneSince, account, after, time, limit));
      const [found, upTo] = row ?? [];
      return { found: found ?? undefined, upTo: upTo ?? undefined };
    },
    async positions(accounts) {
      const found = await inEach(accounts, async (session, account) => {
        const [row] = await session.rowsOf(account, call(lastPosition, account));
        return row === undefined ? [] : [[account, row[0]] as const];
      });
      return new Map(found.flat());
    },
    async of(query) {
      const { account, record } = query;
      return at(account).use(async (session) => {
        const changes = await changesBack(query, async (position) => {
          const rows = await session.rows(call(statements.ofRecord, account, record, position));
          return rows.map((row) => toChange(account, row));
        });
        context.reportDamage(changes);
        return changes;
      });
    },
    async gone(resource, record, accounts) {
      const found = await inEach(accounts, async (session, account) => {
        const which = call(statements.gone, account, record, resource);
        const [row] = await session.rowsOf(account, which);
        return row === undefined ? [] : [toGone(account, row)];
      });
      return found.flat()[0];
    },
    async removals({ account, before, limit }) {
      return removedOf(account, call(statements.removedAlone, account, before, limit));
    },
    async removed({ account, removal, resource, after = '', limit }) {
      const { removedWith } = statements;
      return removedOf(account, call(removedWith, account, removal, resource, after, limit));
    },
    async sweep(watch) {
      const { sessions, now } = context;
      const until = now() - lastsMs;
      const accounts = await sessions.rows(call(statements.nextAccounts, looked, ACCOUNTS_AT_ONCE));
      let lost: { readonly error: unknown } | undefined;
      for (const [account] of accounts) {
        try {
          if (await each.one(account, () => sweepIn(account, until))) return true;
        } catch (error) {
          // The server of an account is not there, and those of the next ones may be.
          lost ??= { error };
        } finally {
          tell(watch);
        }
        looked = account;
      }
      if (accounts.length < ACCOUNTS_AT_ONCE) looked = '';
      if (lost !== undefined) throw lost.error;
      return false;
    },
  };
}

function toGone(account: string, row: statements.GoneRow): Tombstone {
  return { account, ...toStored(row) };
}

function isAt([position, place, token]: ChangeRow, cursor: ChangeCursor): boolean {
  return position === cursor.position && place === cursor.place && token === cursor.token;
}
