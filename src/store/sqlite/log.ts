/** How the log of changes is read, and how what is old goes. */
import { performance } from 'node:perf_hooks';
import {
  type ChangeLog,
  type ChangeMark,
  type ChangesPage,
  type ChangesQuery,
  type GoneRecord,
  keptMs,
  type LoggedChange,
  lastToSweep,
  type MarkLost,
  type RecordChanges,
  toChange,
} from '../log.ts';
import type { Context } from './context.ts';
import { logStatements } from './statements/changes.ts';

/** How long one transaction sweeps: no longer than a commit of drafts takes. */
const SWEEP_MS = 4;
/** Changes between two looks at the clock. */
const ROWS_AT_ONCE = 50;
/** Accounts that are looked at in one go. */
const ACCOUNTS_AT_ONCE = 1_000;

export class LoggedChanges implements ChangeLog {
  readonly #context: Context;
  readonly #keptMs: number;
  readonly #statements: ReturnType<typeof logStatements>;
  /** The number of the account that was looked at last for what is old. */
  #looked = 0;

  constructor(context: Context, historyDays: number) {
    this.#context = context;
    this.#keptMs = keptMs(historyDays);
    this.#statements = logStatements(context.connection.database);
  }

  async read(query: ChangesQuery): Promise<ChangesPage | MarkLost> {
    return this.#context.connection.read(() => this.#read(query));
  }

  async last(account: string): Promise<ChangeMark | undefined> {
    return this.#context.connection.read(() => toMark(this.#statements.last.get(account)));
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
        const found = this.#statements.of.all(account, record, at);
        for (const row of found) changes.push(toChange(account, row));
        left -= found.reduce((sum, row) => sum + (row[CONTENT]?.length ?? 0), 0);
        at = found.at(-1)?.[BEFORE] ?? 0;
      }
      return changes;
    });
  }

  async gone(
    resource: string,
    record: string,
    accounts: readonly string[],
  ): Promise<GoneRecord | undefined> {
    const { connection, table, tables } = this.#context;
    return connection.read(() => {
      const row = this.#statements.gone.get(resource, record, JSON.stringify(accounts));
      if (row === undefined) return undefined;
      const [account, position, number, external_identifier, inserted_at] = row;
      const above = tables.get(resource)?.shape.parent?.resource ?? '';
      const [parent] = table(above).records.byNumber.get(number) ?? [];
      return { account, position, parent, external_identifier, inserted_at };
    });
  }

  async sweep(): Promise<boolean> {
    const { connection, now } = this.#context;
    const until = now() - this.#keptMs;
    const account = connection.read(() => this.#nextWithOld(until));
    if (account === undefined) return false;
    await connection.write(() => this.#sweepIn(account, until));
    return true;
  }

  #read({ account, after, limit, bytes }: ChangesQuery): ChangesPage | MarkLost {
    const { position = 0, place = 0 } = after ?? {};
    const changes: LoggedChange[] = [];
    let [left, found] = [bytes, after === undefined];
    // One for the mark, and one that tells whether there are more.
    for (const row of this.#statements.read.iterate(account, position, place, limit + 2)) {
      if (!found) {
        if (row[0] !== position || row[1] !== place || row[2] !== after?.token) break;
        found = true;
        continue;
      }
      const change = toChange(account, row);
      left -= change.content?.length ?? 0;
      if (changes.length === limit || (left < 0 && changes.length > 0)) {
        return { changes, more: true };
      }
      changes.push(change);
    }
    return found ? { changes, more: false } : this.#lost(account, position);
  }

  #lost(account: string, position: number): MarkLost {
    const [first = Number.POSITIVE_INFINITY] = this.#statements.first.get(account) ?? [];
    return position < first ? 'expired' : 'rewound';
  }

  /** The number of an account that has changes to be swept, of those that are to be looked at now. */
  #nextWithOld(until: number): number | undefined {
    for (let count = 0; count < ACCOUNTS_AT_ONCE; count++) {
      const [account] = this.#statements.nextAccount.get(this.#looked) ?? [];
      if (account === undefined) {
        this.#looked = 0;
        return undefined;
      }
      const [oldest, next] = this.#statements.oldest.all(account, 2);
      if (oldest !== undefined && next !== undefined && oldest[2] < until) return account;
      this.#looked = account;
    }
    return undefined;
  }

  #sweepIn(account: number, until: number): void {
    const ends = performance.now() + SWEEP_MS;
    do {
      const rows = this.#statements.oldest.all(account, ROWS_AT_ONCE + 1);
      const last = lastToSweep(rows, until);
      if (last === undefined) return;
      const [position, place] = last;
      this.#statements.removeGone.run(account, position, place);
      this.#statements.remove.run(account, position, place);
    } while (performance.now() < ends);
  }
}

const BEFORE = 8;
const CONTENT = 11;

function toMark(row: readonly [number, number, number] | undefined): ChangeMark | undefined {
  return row && { position: row[0], place: row[1], token: row[2] };
}
