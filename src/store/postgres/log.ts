/** Reads the log of changes, and removes old entries. */
import { toMark, toTimedMark } from '../images.ts';
import {
  type ChangeLog,
  type ChangeMark,
  type ChangeRow,
  EXPIRED,
  keptMs,
  type LoggedChange,
  lastToSweep,
  type RemovedRecord,
  toChange,
  withRemovals,
} from '../promises/log.ts';
import { keepersIn } from './commit/keeping.ts';
import type { Context } from './context.ts';
import type { Work } from './placement/placements.ts';
import { accountStatements } from './statements/accounts.ts';
import * as statements from './statements/changes.ts';
import { lastPosition } from './statements/commits.ts';
import { inAccount } from './turn/transaction.ts';
import { type Call, call, type Session } from './wire/session.ts';
import { numberArray, textArray } from './wire/values.ts';

/** Changes that are removed in one transaction. */
const SWEPT_AT_ONCE = 500;
/** How many accounts are examined at a time. */
const ACCOUNTS_AT_ONCE = 100;

export function createLog(context: Context, historyDays: number): ChangeLog {
  /** The account that was last examined for old entries. */
  let looked = '';
  const lastsMs = keptMs(historyDays);
  const accountsOf = accountStatements(context.root);

  async function lastOf(account: string): Promise<ChangeMark | undefined> {
    const [row] = await at([account]).rows(call(statements.last, account));
    return row && toMark(row);
  }

  async function removedOf(
    account: string,
    which: Call<statements.GoneRow>,
  ): Promise<readonly RemovedRecord[]> {
    return at([account]).use(async (session) => {
      const gone = (await session.rows(which)).map((row) => toGone(account, row));
      const positions = numberArray([...new Set(gone.map(({ position }) => position))]);
      const records = textArray(gone.map(({ record }) => record));
      const rows = await session.rows(call(statements.removalsOf, account, positions, records));
      return withRemovals(
        gone,
        rows.map((row) => toChange(account, row)),
      );
    });
  }

  /** Whether anything was swept. */
  async function sweepIn(account: string, until: number): Promise<boolean> {
    const oldest = call(statements.oldest, account, SWEPT_AT_ONCE + 1);
    const rows = await at([account]).rows(oldest);
    const [only] = rows;
    const expires =
      rows.length === 1 && only !== undefined && only[2] < until && only[3] !== EXPIRED.outcome;
    const last = expires ? only : lastToSweep(rows, until);
    if (last === undefined) return false;
    const [position, place] = last;
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

  function at(accounts: readonly string[]): Work {
    return context.placements.at(accounts, 'read');
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

  async function hasAfter(account: string, change: ChangeMark | undefined): Promise<boolean> {
    if (change === undefined) return false;
    const last = await lastOf(account);
    return (
      last !== undefined &&
      (last.position > change.position ||
        (last.position === change.position && last.place > change.place))
    );
  }

  return {
    last: lastOf,
    async read({ account, after, limit, bytes, documents = false }) {
      const { position = 0, place = 0 } = after ?? {};
      // One for the mark, and one that shows whether there are more.
      const most = limit + 1 + (after === undefined ? 0 : 1);
      const { read, first } = statements;
      const { rows, oldest } = await at([account]).use(async (session) => {
        const rows = await session.rows(
          call(read, account, position, place, most, bytes, documents),
        );
        const there = after === undefined || isMark(rows[0], after);
        return there ? { rows } : { rows, oldest: await session.rows(call(first, account)) };
      });
      if (oldest !== undefined) {
        return position < (oldest[0]?.[0] ?? Number.POSITIVE_INFINITY) ? 'expired' : 'rewound';
      }
      const found = rows
        .slice(after === undefined ? 0 : 1)
        .filter(([, , , , , , outcome]) => outcome !== EXPIRED.outcome);
      const changes = found.slice(0, limit).map((row) => toChange(account, row));
      context.tellDamage(changes);
      // Short of the request: there were too many bytes, or there are no more.
      const more = rows.length === most || (await hasAfter(account, changes.at(-1)));
      return { changes, more };
    },
    async lastUpTo(account, position) {
      const [row] = await at([account]).rows(call(statements.lastUpTo, account, position));
      return row && toTimedMark(row);
    },
    async positions(accounts) {
      const found = await inEach(accounts, async (session, account) => {
        const [row] = await session.rowsOf(account, call(lastPosition, account));
        return row === undefined ? [] : [[account, row[0]] as const];
      });
      return new Map(found.flat());
    },
    async of({ account, record, position, limit, bytes }) {
      return at([account]).use(async (session) => {
        const changes: LoggedChange[] = [];
        let left = bytes;
        for (let at = position; at > 0 && changes.length < limit && left > 0; ) {
          const rows = await session.rows(call(statements.ofRecord, account, record, at));
          const found = rows.map((row) => toChange(account, row));
          changes.push(...found);
          left -= found.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
          at = found.at(-1)?.before ?? 0;
        }
        context.tellDamage(changes);
        return changes;
      });
    },
    async gone(resource, record, accounts) {
      const found = await inEach(accounts, async (session, account) => {
        const [row] = await session.rowsOf(
          account,
          call(statements.gone, account, record, resource),
        );
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
    async sweep() {
      const { sessions, now } = context;
      const until = now() - lastsMs;
      const accounts = await sessions.rows(call(accountsOf.next, looked, ACCOUNTS_AT_ONCE));
      for (const [account] of accounts) {
        if (await sweepIn(account, until)) return true;
        looked = account;
      }
      if (accounts.length < ACCOUNTS_AT_ONCE) looked = '';
      return false;
    },
  };
}

function toGone(account: string, row: statements.GoneRow) {
  const [position, parent, external_identifier, inserted_at, ...rest] = row;
  const [removal, below, created_by, record] = rest;
  return {
    account,
    record,
    position,
    parent,
    external_identifier,
    inserted_at,
    removal,
    below,
    created_by,
  };
}

function isMark(row: ChangeRow | undefined, mark: ChangeMark): boolean {
  return (
    row !== undefined && row[0] === mark.position && row[1] === mark.place && row[2] === mark.token
  );
}
