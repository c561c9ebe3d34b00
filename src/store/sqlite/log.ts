/** Reads the log of changes, and removes old changes. */
import { eachNoted } from '../../core/each-account.ts';
import { named, toCursor, toTimedCursor } from '../images.ts';
import {
  type ChangesPage,
  type ChangesQuery,
  type CursorLost,
  changesBack,
  EXPIRED,
  type LoggedChange,
  retentionMs,
  rowToSweep,
  type StoredLog,
  type Tombstone,
  withRemovals,
} from '../promises/log.ts';
import { storeWorks } from '../promises/works.ts';
import { changesOf, FillingRow } from './commit/change-rows.ts';
import type { Keeping } from './commit/keeping.ts';
import type { Context } from './context.ts';
import { logStatements } from './statements/changes.ts';

/** How long one transaction sweeps: no longer than a commit of drafts takes. */
const SWEEP_MS = 4;
/** Changes between two looks at the clock. */
const ROWS_AT_ONCE = 50;
const ACCOUNTS_AT_ONCE = 1_000;

/** A removed record, with its resource and the number of what it belonged to. */
const toStored = named<Omit<Tombstone, 'parent'> & { resource: string; number: number }>(
  ...(['account', 'record', 'resource', 'position', 'number', 'external_identifier'] as const),
  ...(['inserted_at', 'removal', 'below', 'created_by'] as const),
);

export function createLog(context: Context, historyDays: number, keeping: Keeping): StoredLog {
  let lastChecked = 0;
  const { each, tell } = eachNoted(storeWorks.sweeping);
  const lastsMs = retentionMs(historyDays);
  const { connection, now, table, tables, reportDamage } = context;
  const statements = logStatements(connection.database);

  /** The changes at a position, in their order. */
  function changesAt(account: string, position: number): LoggedChange[] {
    const rows = statements.commit.all(account, position);
    return rows.flatMap((row) => changesOf(account, row));
  }

  function toGone(row: readonly unknown[]): Tombstone {
    const { resource, number, ...gone } = toStored(row);
    const above = tables.get(resource)?.shape.parent?.resource ?? '';
    const [parent] =
      table(above).records.byNumber.get(number) ??
      statements.goneAbove.get(gone.account, number) ??
      [];
    return { ...gone, parent };
  }

  function removalsAt(account: string, rows: readonly (readonly unknown[])[]) {
    const gone = rows.map((row) => toGone(row));
    const wanted = new Set(gone.map(({ record }) => record));
    const positions = new Set(gone.map(({ position }) => position));
    const changes = [...positions]
      .flatMap((position) => changesAt(account, position))
      .filter(({ record, outcome }) => outcome === 'deleted' && wanted.has(record));
    return withRemovals(gone, changes);
  }

  function read({
    account,
    after,
    limit,
    bytes,
    documents,
  }: ChangesQuery): ChangesPage | CursorLost {
    const { position = 0, place = 0 } = after ?? {};
    const changes: LoggedChange[] = [];
    let [left, found] = [bytes, after === undefined];
    // One for the mark, and one that shows whether there are more.
    for (const row of statements.read.iterate(account, position, place, limit + 2)) {
      for (const change of changesOf(account, row)) {
        if (!found) {
          // One that is damaged may stand for those before it, the marked one among them.
          const isBeyond = change.place > place && !change.damaged;
          if (change.position !== position || isBeyond) return lost(account, position);
          if (change.place < place) continue;
          if (change.token !== after?.token) return lost(account, position);
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
    return found ? { changes, more: false } : lost(account, position);
  }

  /** The last damaged change of that commit: whichever record was changed there, it may be this one. */
  function damagedAt(account: string, position: number): LoggedChange[] {
    return changesAt(account, position)
      .filter(({ damaged }) => damaged)
      .slice(-1)
      .map((change) => ({ ...change, before: 0 }));
  }

  function lost(account: string, position: number): CursorLost {
    const [first = Number.POSITIVE_INFINITY] = statements.first.get(account) ?? [];
    return position < first ? 'expired' : 'rewound';
  }

  /** The next account with changes to sweep, among those to check in this step. */
  function nextWithOld(until: number): NumberedAccount | undefined {
    for (let count = 0; count < ACCOUNTS_AT_ONCE; count++) {
      const [account, name] = statements.nextAccount.get(lastChecked) ?? [];
      if (account === undefined || name === undefined) {
        lastChecked = 0;
        return undefined;
      }
      const isOld = rowToSweep(statements.oldest.all(account, 2), until) !== undefined;
      if (isOld && !isHeld(name) && !each.rests(name)) return [account, name];
      lastChecked = account;
    }
    return undefined;
  }

  /** Whether a hold lasts in the account, of whatever record: its log stays whole. */
  function isHeld(account: string): boolean {
    return keeping.keepersIn(account).hold !== undefined;
  }

  function sweepIn([account, name]: NumberedAccount, until: number): void {
    if (isHeld(name)) return;
    const ends = performance.now() + SWEEP_MS;
    do {
      const old = rowToSweep(statements.oldest.all(account, ROWS_AT_ONCE + 1), until);
      if (old === undefined) return;
      const { position, place, expires } = old;
      const rows = statements.removals.all(account, position, place);
      const removed = rows.flatMap((row) => changesOf('', row));
      for (const { outcome, record, position } of removed) {
        if (outcome === 'deleted') statements.removeGone.run(account, record, position);
      }
      const last = expires ? lastOf(account, position, place) : undefined;
      statements.remove.run(account, position, place);
      if (last === undefined) continue;
      const row = new FillingRow();
      row.add(EXPIRED);
      context.changes.append.run(account, ...row.at(last));
    } while (performance.now() < ends);
  }

  /** The last change of a row. */
  function lastOf(...row: [account: number, position: number, place: number]) {
    return statements.at
      .all(...row)
      .flatMap((one) => changesOf('', one))
      .at(-1);
  }

  return {
    async read(query) {
      const page = connection.read(() => read(query));
      if (typeof page !== 'string') reportDamage(page.changes);
      return page;
    },
    async last(account) {
      const row = connection.read(() => statements.lastUpTo.get(account, LAST_POSITION));
      return row && toCursor(row);
    },
    async lastUpTo(account, position) {
      const row = connection.read(() => statements.lastUpTo.get(account, position));
      return row && toTimedCursor(row);
    },
    async doneSince({ account, after, time, limit }) {
      const row = connection.read(() => statements.doneSince.get(account, after, time, limit));
      const [found, upTo] = row ?? [];
      return { found: found ?? undefined, upTo: upTo ?? undefined };
    },
    async positions(accounts) {
      const wanted = JSON.stringify(accounts);
      return connection.read(() => new Map(statements.positions.all(wanted)));
    },
    async of(query) {
      const { account, record } = query;
      const changes = await changesBack(query, (position) =>
        connection.read(() => {
          const found = statements.of
            .all(account, record, position)
            .flatMap((row) => changesOf(account, row))
            .filter((change) => change.record === record)
            .reverse();
          return found.length === 0 ? damagedAt(account, position) : found;
        }),
      );
      reportDamage(changes);
      return changes;
    },
    async gone(resource, record, accounts) {
      return connection.read(() => {
        const row = statements.gone.get(resource, record, JSON.stringify(accounts));
        return row && toGone(row);
      });
    },
    async removals({ account, before, limit }) {
      return connection.read(() =>
        removalsAt(account, statements.removedAlone.all(account, before, limit)),
      );
    },
    async removed({ account, removal, resource, after = '', limit }) {
      return connection.read(() =>
        removalsAt(account, statements.removedWith.all(account, removal, resource, after, limit)),
      );
    },
    async sweep(watch) {
      const until = now() - lastsMs;
      const account = connection.read(() => nextWithOld(until));
      if (account === undefined) return false;
      await each.one(account[1], () => connection.write(() => sweepIn(account, until)));
      tell(watch);
      connection.noteRemoved();
      return true;
    },
  };
}

const LAST_POSITION = Number.MAX_SAFE_INTEGER;

type NumberedAccount = readonly [number: number, unique_identifier: string];
