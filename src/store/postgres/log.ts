/** Reads the log of changes, and removes old entries. */
import { toMark, toTimedMark } from '../images.ts';
import {
  type ChangeLog,
  type ChangeMark,
  type ChangeRow,
  type ChangesPage,
  type ChangesQuery,
  EXPIRED,
  keptMs,
  type LoggedChange,
  lastToSweep,
  type MarkLost,
  type RecordChanges,
  type RemovalsQuery,
  type RemovedQuery,
  type RemovedRecord,
  type TimedMark,
  type Tombstone,
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

export class LoggedChanges implements ChangeLog {
  readonly #context: Context;
  readonly #keptMs: number;
  readonly #accounts: ReturnType<typeof accountStatements>;
  /** The account that was last examined for old entries. */
  #looked = '';

  constructor(context: Context, historyDays: number) {
    this.#context = context;
    this.#keptMs = keptMs(historyDays);
    this.#accounts = accountStatements(context.root);
  }

  async read({
    account,
    after,
    limit,
    bytes,
    documents = false,
  }: ChangesQuery): Promise<ChangesPage | MarkLost> {
    const { position = 0, place = 0 } = after ?? {};
    // One for the mark, and one that shows whether there are more.
    const most = limit + 1 + (after === undefined ? 0 : 1);
    const { read, first } = statements;
    const { rows, oldest } = await this.#at([account]).use(async (session) => {
      const rows = await session.rows(call(read, account, position, place, most, bytes, documents));
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
    this.#context.tellDamage(changes);
    // Short of the request: there were too many bytes, or there are no more.
    const more = rows.length === most || (await this.#hasAfter(account, changes.at(-1)));
    return { changes, more };
  }

  async last(account: string): Promise<ChangeMark | undefined> {
    const [row] = await this.#at([account]).rows(call(statements.last, account));
    return row && toMark(row);
  }

  async lastUpTo(account: string, position: number): Promise<TimedMark | undefined> {
    const [row] = await this.#at([account]).rows(call(statements.lastUpTo, account, position));
    return row && toTimedMark(row);
  }

  async positions(accounts: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const found = await this.#inEach(accounts, async (session, account) => {
      const [row] = await session.rowsOf(account, call(lastPosition, account));
      return row === undefined ? [] : [[account, row[0]] as const];
    });
    return new Map(found.flat());
  }

  async of({ account, record, position, limit, bytes }: RecordChanges) {
    return this.#at([account]).use(async (session) => {
      const changes: LoggedChange[] = [];
      let left = bytes;
      for (let at = position; at > 0 && changes.length < limit && left > 0; ) {
        const rows = await session.rows(call(statements.ofRecord, account, record, at));
        const found = rows.map((row) => toChange(account, row));
        changes.push(...found);
        left -= found.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
        at = found.at(-1)?.before ?? 0;
      }
      this.#context.tellDamage(changes);
      return changes;
    });
  }

  async gone(
    resource: string,
    record: string,
    accounts: readonly string[],
  ): Promise<Tombstone | undefined> {
    const found = await this.#inEach(accounts, async (session, account) => {
      const [row] = await session.rowsOf(account, call(statements.gone, account, record, resource));
      return row === undefined ? [] : [toGone(account, row)];
    });
    return found.flat()[0];
  }

  async removals({ account, before, limit }: RemovalsQuery) {
    return this.#removed(account, call(statements.removedAlone, account, before, limit));
  }

  async removed({ account, removal, resource, after = '', limit }: RemovedQuery) {
    const { removedWith } = statements;
    return this.#removed(account, call(removedWith, account, removal, resource, after, limit));
  }

  async #removed(
    account: string,
    which: Call<statements.GoneRow>,
  ): Promise<readonly RemovedRecord[]> {
    return this.#at([account]).use(async (session) => {
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

  async sweep(): Promise<boolean> {
    const { sessions, now } = this.#context;
    const until = now() - this.#keptMs;
    const accounts = await sessions.rows(call(this.#accounts.next, this.#looked, ACCOUNTS_AT_ONCE));
    for (const [account] of accounts) {
      if (await this.#sweepIn(account, until)) return true;
      this.#looked = account;
    }
    if (accounts.length < ACCOUNTS_AT_ONCE) this.#looked = '';
    return false;
  }

  /** Whether anything was swept. */
  async #sweepIn(account: string, until: number): Promise<boolean> {
    const oldest = call(statements.oldest, account, SWEPT_AT_ONCE + 1);
    const rows = await this.#at([account]).rows(oldest);
    const [only] = rows;
    const expires =
      rows.length === 1 && only !== undefined && only[2] < until && only[3] !== EXPIRED.outcome;
    const last = expires ? only : lastToSweep(rows, until);
    if (last === undefined) return false;
    const [position, place] = last;
    return inAccount(this.#context.placements, account, async (session) => {
      if ((await keepersIn(session, account)).hold !== undefined) return false;
      const remove = expires ? statements.expire : statements.remove;
      await Promise.all([
        session.run(call(statements.removeGone, account, position, place)),
        session.run(call(remove, account, position, place)),
      ]);
      return true;
    });
  }

  #at(accounts: readonly string[]): Work {
    return this.#context.placements.at(accounts, 'read');
  }

  async #inEach<T>(
    accounts: readonly string[],
    read: (session: Session, account: string) => Promise<T>,
  ): Promise<readonly T[]> {
    const found = await this.#context.placements.each(accounts, (session, own) =>
      Promise.all(own.map((account) => read(session, account))),
    );
    return found.flat() as T[];
  }

  async #hasAfter(account: string, change: ChangeMark | undefined): Promise<boolean> {
    if (change === undefined) return false;
    const last = await this.last(account);
    return (
      last !== undefined &&
      (last.position > change.position ||
        (last.position === change.position && last.place > change.place))
    );
  }
}

function toGone(account: string, row: statements.GoneRow) {
  const [position, parent, external_identifier, inserted_at, ...rest] = row;
  const [removal, below, created_by, record] = rest;
  return {
    ...{ account, record, position, parent, external_identifier, inserted_at },
    ...{ removal, below, created_by },
  };
}

function isMark(row: ChangeRow | undefined, mark: ChangeMark): boolean {
  return (
    row !== undefined && row[0] === mark.position && row[1] === mark.place && row[2] === mark.token
  );
}
