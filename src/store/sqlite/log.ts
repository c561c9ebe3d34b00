/** Reads the log of changes, and removes old changes. */
import { named, toMark, toTimedMark } from '../images.ts';
import {
  type ChangeLog,
  type ChangeMark,
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
  withRemovals,
} from '../promises/log.ts';
import { changesOf, FillingRow } from './commit/change-rows.ts';
import type { Keeping } from './commit/keeping.ts';
import type { Context } from './context.ts';
import { logStatements } from './statements/changes.ts';

/** How long one transaction sweeps: no longer than a commit of drafts takes. */
const SWEEP_MS = 4;
/** Changes between two looks at the clock. */
const ROWS_AT_ONCE = 50;
/** Accounts to check per step. */
const ACCOUNTS_AT_ONCE = 1_000;

/** A removed record, with its resource and the number of what it belonged to. */
const toStored = named<Omit<Tombstone, 'parent'> & { resource: string; number: number }>(
  ...(['account', 'record', 'resource', 'position', 'number', 'external_identifier'] as const),
  ...(['inserted_at', 'removal', 'below', 'created_by'] as const),
);

export class LoggedChanges implements ChangeLog {
  readonly #context: Context;
  readonly #keptMs: number;
  readonly #keeping: Keeping;
  readonly #statements: ReturnType<typeof logStatements>;
  /** The number of the last account that was checked for old changes. */
  #looked = 0;

  constructor(context: Context, historyDays: number, keeping: Keeping) {
    this.#context = context;
    this.#keeping = keeping;
    this.#keptMs = keptMs(historyDays);
    this.#statements = logStatements(context.connection.database);
  }

  async read(query: ChangesQuery): Promise<ChangesPage | MarkLost> {
    const page = this.#context.connection.read(() => this.#read(query));
    if (typeof page !== 'string') this.#context.tellDamage(page.changes);
    return page;
  }

  async last(account: string): Promise<ChangeMark | undefined> {
    const row = this.#context.connection.read(() => this.#statements.last.get(account));
    return row && toMark(row);
  }

  async lastUpTo(account: string, position: number): Promise<TimedMark | undefined> {
    return this.#context.connection.read(() => {
      const row = this.#statements.lastUpTo.get(account, position);
      return row && toTimedMark(row);
    });
  }

  async positions(accounts: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const wanted = JSON.stringify(accounts);
    return this.#context.connection.read(() => new Map(this.#statements.positions.all(wanted)));
  }

  async of({ account, record, position, limit, bytes }: RecordChanges) {
    return this.#context.connection.read(() => {
      const changes: LoggedChange[] = [];
      let left = bytes;
      for (let at = position; at > 0 && changes.length < limit && left > 0; ) {
        const found = this.#statements.of
          .all(account, record, at)
          .flatMap((row) => changesOf(account, row))
          .filter((change) => change.record === record)
          .reverse();
        if (found.length === 0) found.push(...this.#damagedAt(account, at));
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
    return this.#context.connection.read(() => {
      const row = this.#statements.gone.get(resource, record, JSON.stringify(accounts));
      return row && this.#toGone(row);
    });
  }

  async removals({ account, before, limit }: RemovalsQuery) {
    const { removedAlone } = this.#statements;
    return this.#context.connection.read(() =>
      this.#withRemovals(account, removedAlone.all(account, before, limit)),
    );
  }

  async removed({ account, removal, resource, after = '', limit }: RemovedQuery) {
    const { removedWith } = this.#statements;
    return this.#context.connection.read(() =>
      this.#withRemovals(account, removedWith.all(account, removal, resource, after, limit)),
    );
  }

  async sweep(): Promise<boolean> {
    const { connection, now } = this.#context;
    const until = now() - this.#keptMs;
    const account = connection.read(() => this.#nextWithOld(until));
    if (account === undefined) return false;
    await connection.write(() => this.#sweepIn(account, until));
    connection.noteRemoved();
    return true;
  }

  #toGone(row: readonly unknown[]): Tombstone {
    const { table, tables } = this.#context;
    const { resource, number, ...gone } = toStored(row);
    const above = tables.get(resource)?.shape.parent?.resource ?? '';
    const [parent] = table(above).records.byNumber.get(number) ?? [];
    return { ...gone, parent };
  }

  #withRemovals(account: string, rows: readonly (readonly unknown[])[]): readonly RemovedRecord[] {
    const gone = rows.map((row) => this.#toGone(row));
    const wanted = new Set(gone.map(({ record }) => record));
    const changes = [...new Set(gone.map(({ position }) => position))].flatMap((position) =>
      this.#statements.commit
        .all(account, position)
        .flatMap((row) => changesOf(account, row))
        .filter(({ record, outcome }) => outcome === 'deleted' && wanted.has(record)),
    );
    return withRemovals(gone, changes);
  }

  #read({ account, after, limit, bytes, documents }: ChangesQuery): ChangesPage | MarkLost {
    const { position = 0, place = 0 } = after ?? {};
    const changes: LoggedChange[] = [];
    let [left, found] = [bytes, after === undefined];
    // One for the mark, and one that shows whether there are more.
    for (const row of this.#statements.read.iterate(account, position, place, limit + 2)) {
      for (const change of changesOf(account, row)) {
        if (!found) {
          // One that is damaged may stand for those before it, the marked one among them.
          const isBeyond = change.place > place && !change.damaged;
          if (change.position !== position || isBeyond) return this.#lost(account, position);
          if (change.place < place) continue;
          if (change.token !== after?.token) return this.#lost(account, position);
          found = true;
          if (change.place === place) continue;
        }
        if (change.outcome === EXPIRED.outcome) continue;
        const removed = change.outcome === 'deleted' && documents !== true;
        if (!removed) left -= change.content?.length ?? 0;
        if (changes.length === limit || (left < 0 && changes.length > 0)) {
          return { changes, more: true };
        }
        changes.push(removed ? { ...change, content: null } : change);
      }
    }
    return found ? { changes, more: false } : this.#lost(account, position);
  }

  /** The last damaged change of that commit: whichever record was changed there, it may be this one. */
  #damagedAt(account: string, position: number): LoggedChange[] {
    return this.#statements.commit
      .all(account, position)
      .flatMap((row) => changesOf(account, row))
      .filter(({ damaged }) => damaged)
      .slice(-1)
      .map((change) => ({ ...change, before: 0 }));
  }

  #lost(account: string, position: number): MarkLost {
    const [first = Number.POSITIVE_INFINITY] = this.#statements.first.get(account) ?? [];
    return position < first ? 'expired' : 'rewound';
  }

  /** The next account with changes to sweep, among those to check in this step. */
  #nextWithOld(until: number): NumberedAccount | undefined {
    for (let count = 0; count < ACCOUNTS_AT_ONCE; count++) {
      const [account, name] = this.#statements.nextAccount.get(this.#looked) ?? [];
      if (account === undefined || name === undefined) {
        this.#looked = 0;
        return undefined;
      }
      const [oldest, next] = this.#statements.oldest.all(account, 2);
      const isLeft = next !== undefined || oldest?.[HAS_EXPIRED] === 0;
      const isOld = oldest !== undefined && isLeft && oldest[2] < until;
      if (isOld && !this.#isHeld(name)) return [account, name];
      this.#looked = account;
    }
    return undefined;
  }

  /** Whether a hold lasts in the account, of whatever record: its log stays whole. */
  #isHeld(account: string): boolean {
    return this.#keeping.in(account).hold !== undefined;
  }

  #sweepIn([account, name]: NumberedAccount, until: number): void {
    if (this.#isHeld(name)) return;
    const ends = performance.now() + SWEEP_MS;
    do {
      const rows = this.#statements.oldest.all(account, ROWS_AT_ONCE + 1);
      const last = lastToSweep(rows, until);
      if (last === undefined) {
        const [only] = rows;
        if (rows.length === 1 && only !== undefined && only[2] < until) this.#expire(account, only);
        return;
      }
      const [position, place] = last;
      for (const row of this.#statements.removals.all(account, position, place)) {
        this.#forgetGone(account, changesOf('', row));
      }
      this.#statements.remove.run(account, position, place);
    } while (performance.now() < ends);
  }

  /** Reduces the account's last row to the mark of its last change. */
  #expire(account: number, [position, place]: readonly [number, number, ...unknown[]]): void {
    const changes = this.#statements.at
      .all(account, position, place)
      .flatMap((each) => changesOf('', each));
    const last = changes.at(-1);
    if (last === undefined || last.outcome === EXPIRED.outcome) return;
    this.#forgetGone(account, changes);
    this.#statements.remove.run(account, position, place);
    const row = new FillingRow();
    row.add(EXPIRED);
    this.#context.changes.append.run(account, ...row.at(last));
  }

  #forgetGone(account: number, changes: readonly LoggedChange[]): void {
    for (const { outcome, record, position } of changes) {
      if (outcome === 'deleted') this.#statements.removeGone.run(account, record, position);
    }
  }
}

const HAS_EXPIRED = 3;

type NumberedAccount = readonly [number: number, unique_identifier: string];
