/** Erased records in a SQLite store: erased within a transaction, known again in commits, and forgotten by the log. */
import type { DatabaseSync } from 'node:sqlite';
import type { RecordShape } from '../../core/schema/shape.ts';
import { forgetAbout, forgetAged } from '../books/erasing/about.ts';
import { type ErasedFingerprints, keyless, type Link } from '../erased-fingerprints.ts';
import { named } from '../images.ts';
import {
  type DroppedHistory,
  type ErasedDraft,
  type EraseOutcome,
  type EraseRequest,
  NOT_IN_JOURNAL,
} from '../promises/erasing/book.ts';
import { sealedProbe } from '../promises/erasing/sealed.ts';
import type { LogEntry, LoggedChange } from '../promises/log.ts';
import { recordHeld } from '../promises/refusals.ts';
import type { Content } from '../records/content.ts';
import { toRecord } from '../records/records.ts';
import { judgeErasure } from '../records/removing.ts';
import { changesOf, type LogRow, ROW_COLUMNS, withContents } from './commit/change-rows.ts';
import { createEntries, type Entries } from './commit/entries.ts';
import type { Keeping } from './commit/keeping.ts';
import type { Context } from './context.ts';
import { indexedValues, recordSum } from './schema/tables.ts';
import { prepare, preparing } from './statements/prepare.ts';
import type { ErasableRow } from './statements/records.ts';

/** How long one transaction erases or forgets: no longer than a commit of drafts takes. */
const PIECE_MS = 4;
/** Records that are erased in it also while other programs have the processor. */
const AT_LEAST = 5;

/** The numbers of the account and of what a record belongs to. */
export interface OwnerNumbers {
  readonly account: number;
  readonly parent: number;
}

/** An existing record, or one that was removed. */
interface RemovalRow extends OwnerNumbers {
  readonly number: number;
  readonly external_identifier: string;
  /** The unique identifier of what it belongs to. */
  readonly above: string | null;
  readonly anchor: string | null;
  /** The position of its last change, and the version after that. */
  readonly position: number;
  readonly version: number;
  /** Empty if it was removed. */
  readonly document: string;
  readonly inserted_at: number;
  readonly isRemoved: boolean;
}

const toRemovalRow = named<Omit<RemovalRow, 'account' | 'above' | 'isRemoved'>>(
  ...(['number', 'parent', 'external_identifier', 'anchor', 'position'] as const),
  ...(['version', 'document', 'inserted_at'] as const),
);

type Named = Pick<EraseRequest, 'account' | 'resource' | 'record'>;

export type Erasing = ReturnType<typeof createErasing>;

export function createErasing(context: Context, keeping: Keeping, marks: ErasedFingerprints) {
  const { table, drafts, openAccount, root } = context;
  const { keys } = marks;
  const statements = erasingStatements(context.connection.database);

  /** Whether anything of the account was erased. */
  const someOf = (account: string): boolean => statements.some.get(account) !== undefined;

  /** The erasure of this record, if it was erased; `someOf` its account was. */
  function erasureOf({ shape, account, external_identifier }: ErasedDraft, owners: OwnerNumbers) {
    const sealed = sealedProbe(external_identifier);
    const known = sealed && statements.byProbe.get(account, sealed);
    if (known) return known[1];
    const link: Link = [shape.resource, external_identifier];
    if (keys.length === 0) throw keyless();
    let chain: readonly Link[] | undefined;
    for (const key of keys) {
      const rows = statements.byProbe.all(account, marks.probe(key, link));
      if (rows.length === 0) continue;
      chain ??= chainOf(link, owners);
      const mark = marks.fingerprint(key, chain);
      const found = rows.find(([known]) => known === mark);
      if (found !== undefined) return found[1];
    }
    return undefined;
  }

  /** Writes nothing unless the outcome is `erased`. */
  function eraseOne(request: EraseRequest): EraseOutcome {
    const { resource, account, record, erasure } = request;
    const owner = openAccount(account);
    const doomed = owner === undefined ? undefined : find(resource, owner, record);
    const { shape } = table(resource);
    const verdict = judgeErasure(shape, request, {
      isKnown: statements.known.get(account, record) !== undefined,
      hasKey: keys.length > 0,
      stored: doomed?.isRemoved ? undefined : doomed,
      wasRemoved: doomed?.isRemoved === true,
      parentVersion: () => doomed && parentVersion(shape, doomed),
      keeperOf: () => doomed && keeperOf(request, doomed),
      isParent: () => doomed !== undefined && hasChildren(resource, doomed),
    });
    if (verdict === 'adopt') {
      const now = context.now();
      statements.adopt.run(erasure, now, account, record, NOT_IN_JOURNAL);
      for (const forget of statements.forgetAbout) forget.run(account, record);
      return 'erased';
    }
    if (doomed === undefined || (typeof verdict === 'string' && verdict !== 'remove'))
      return verdict as EraseOutcome;
    write(request, doomed, typeof verdict === 'string' ? undefined : verdict);
    return 'erased';
  }

  /** Marks the record, removes or redacts it, and logs that. */
  function write(
    { resource, account, record, erasure, by, aged }: EraseRequest,
    doomed: RemovalRow,
    left: Content | undefined,
  ): void {
    const { anchor, above, isRemoved } = doomed;
    const [key = ''] = keys;
    const link: Link = [resource, doomed.external_identifier];
    const known =
      aged === 'unmarked'
        ? ['', '', '']
        : [key, marks.probe(key, link), marks.fingerprint(key, chainOf(link, doomed))];
    const entries = createEntries(context);
    const here = entries.positionIn(doomed.account);
    statements.insert.run(
      ...[account, record, resource, anchor, above ?? '', erasure, entries.now, ...known],
      ...[doomed.position, aged ? NOT_IN_JOURNAL : 0, here],
    );
    let { version, position: before } = doomed;
    const log = (outcome: LogEntry['outcome'], by: string): void => {
      version += 1;
      const entry = { resource, record, anchor, outcome, version, before, by, content: null };
      entries.log(doomed.account, entry);
      before = here;
    };
    if (left !== undefined) {
      log('updated', by);
      redact(entries, resource, doomed, { ...left, name: marks.sealed(key, link) });
    } else if (isRemoved) {
      context.changes.bringBack.run(doomed.account, record);
    } else {
      log('deleted', by);
      drafts(resource).removeSome.run(JSON.stringify([doomed.number]));
    }
    if (aged === undefined) log('erased', erasure);
    const forgets = aged === undefined ? statements.forgetAbout : statements.forgetAged;
    for (const forget of forgets) forget.run(account, record);
    entries.end();
  }

  /** The hold, or the rule, that keeps a record, even one that was removed. */
  function keeperOf({ account, resource, record }: Named, doomed: RemovalRow): string | undefined {
    const { anchor, above: parent, number, isRemoved } = doomed;
    const keepers = keeping.keepersIn(account);
    const leaving = isRemoved ? [] : [{ resource, numbers: [number] }];
    return (
      keepers.over({ account, unique_identifier: record, anchor, parent }) ??
      keeping.young(keepers, leaving)
    );
  }

  /** The position of the record's change before those at that one; 0: there is none. */
  function forgetAt(account: number, record: string, position: number): number {
    let first = 0;
    for (const row of statements.changesAt.all(account, position, record)) {
      const changes = changesOf('', row);
      const own = changes.filter((one) => one.record === record);
      const before = Math.min(...own.map((one) => one.before));
      if (first === 0 && own.length > 0) first = before;
      // What is damaged may stand for this record.
      const keeps = (one: LoggedChange) => one.record !== record && !one.damaged;
      const [contents, sum] = withContents(row, changes, keeps);
      statements.empty.run(contents, sum, account, position, row[1]);
    }
    return first;
  }

  function find(resource: string, account: number, record: string): RemovalRow | undefined {
    const { shape } = table(resource);
    const existing = drafts(resource).erasable.get(account, record);
    const row = existing ?? removedRow(resource, account, record);
    if (row === undefined) return undefined;
    const [, parent] = row;
    const above =
      table(shape.parent?.resource ?? '').records.byNumber.get(parent)?.[0] ??
      statements.goneNumber.get(account, parent)?.[2] ??
      null;
    return { ...toRemovalRow(row), account, above, isRemoved: existing === undefined };
  }

  function removedRow(resource: string, account: number, record: string): ErasableRow | undefined {
    const gone = statements.gone.get(account, record, resource);
    if (gone === undefined) return undefined;
    const [number, parent, external_identifier, position] = gone;
    const { anchor = null, version = 0 } =
      statements.removalAt
        .all(account, position, record)
        .flatMap((row) => changesOf('', row))
        .find((change) => change.record === record) ?? {};
    return [number, parent, external_identifier, anchor, position, version, '', 0];
  }

  /** Writes what stays of a record that others need, under a sealed name. */
  function redact(
    entries: Entries,
    resource: string,
    { account, number, inserted_at, version }: RemovalRow,
    { document, keys, name }: Content & { readonly name: string },
  ): void {
    const { records } = table(resource);
    const position = entries.positionIn(account);
    const updated_at = Math.max(entries.now, inserted_at);
    const left = { document, version: version + 2, position, updated_at };
    records.update.run(
      ...[document, left.version, position, updated_at, null],
      recordSum({ ...left, inserted_at }),
      ...indexedValues({ updated_at, inserted_at }, keys),
      number,
    );
    drafts(resource).rename.run(name, number);
  }

  function parentVersion(shape: RecordShape, { parent }: RemovalRow): number | undefined {
    const row = table(shape.parent?.resource ?? '').records.byNumber.get(parent);
    return row && toRecord(row).version;
  }

  function hasChildren(resource: string, { account, number }: RemovalRow): boolean {
    return table(resource).children.some(
      (child) => drafts(child).someBelow.get(account, number) !== undefined,
    );
  }

  /** The record and all above it, as far as it is known. */
  function chainOf(link: Link, { account, parent }: OwnerNumbers): readonly Link[] {
    const chain = [link];
    let { shape } = table(link[0]);
    for (let number = parent; ; ) {
      const above = shape.parent?.resource;
      if (above === undefined || above === root.resource) return chain;
      const row = drafts(above).pair.get(number) ?? statements.goneNumber.get(account, number);
      if (row === undefined) return chain;
      chain.push([above, row[1]]);
      number = row[0];
      ({ shape } = table(above));
    }
  }

  return {
    someOf,
    /** Whether anything like it was erased, below the same; `someOf` its account was. */
    someBeside({ shape: { resource }, account }: ErasedDraft, owners: OwnerNumbers): boolean {
      if (keys.length === 0) throw keyless();
      const [, ...above] = chainOf([resource, ''], owners);
      return keys.some((key) => {
        const from = marks.beginning(key, resource, above);
        return statements.beside.get(account, from, `${from}~`) !== undefined;
      });
    },
    erasureOf,
    /** Finds the erasure that refuses a draft, outside of a commit. */
    refuses(draft: ErasedDraft): string | undefined {
      if (!someOf(draft.account)) return undefined;
      const account = openAccount(draft.account);
      const above = table(draft.shape.resource).shape.parent?.resource ?? '';
      const parent =
        above === root.resource
          ? account
          : account && table(above).records.stands.get(account, draft.parent)?.[0];
      if (account === undefined || parent === undefined) return undefined;
      return erasureOf(draft, { account, parent });
    },
    /** Within a transaction, for some milliseconds. */
    erase(requests: readonly EraseRequest[]): readonly EraseOutcome[] {
      const until = performance.now() + PIECE_MS;
      const outcomes: EraseOutcome[] = [];
      for (const request of requests) {
        outcomes.push(eraseOne(request));
        if (outcomes.length >= AT_LEAST && performance.now() >= until) break;
      }
      return outcomes;
    },
    /** An account whose log holds something of erased records, beside those. */
    unforgotten: (resting: readonly string[]) =>
      statements.unforgotten.get(null, JSON.stringify(resting))?.[0],
    /** Empties changes of erased records of the account, the newest first, for some milliseconds. */
    forget(account: string): void {
      const until = performance.now() + PIECE_MS;
      do {
        const next = statements.unforgotten.get(account, '[]');
        if (next === undefined) return;
        const [, record, position, number] = next;
        const before = forgetAt(number, record, position);
        const left = before < position ? before : 0;
        statements.forgotten.run(left, account, record);
        if (left === 0) statements.unmarked.run(account, record);
      } while (performance.now() < until);
    },
    /** Forgets the past of a record that stays, from that position back; gives the one to go on from. */
    dropHistory(dropped: DroppedHistory): number {
      const { account, resource, record, position } = dropped;
      const owner = openAccount(account);
      if (owner === undefined) return 0;
      const found = find(resource, owner, record);
      if (found === undefined || found.isRemoved) return 0;
      const keeper = keeperOf(dropped, found);
      if (keeper !== undefined) throw recordHeld(keeper);
      const until = performance.now() + PIECE_MS;
      let at = position;
      do {
        const before = forgetAt(owner, record, at);
        at = before < at ? before : 0;
      } while (at > 0 && performance.now() < until);
      return at;
    },
  };
}

/** The planner takes the primary key for as good as an index: those that are read in commits name it. */
export function erasingStatements(database: DatabaseSync) {
  const sql = preparing(database);
  const rows = `SELECT ${ROW_COLUMNS} FROM change
     WHERE account = ? AND position = ? AND instr(changes, ?)`;
  return {
    some: sql<readonly [1]>`SELECT 1 FROM erased WHERE account = ? LIMIT 1`,
    known: sql<readonly [1]>`SELECT 1 FROM erased WHERE account = ? AND record = ? AND key <> ''`,
    /** Turns a removal by a rule into an erasure for a person: the journal gets a line about it. */
    adopt: sql`UPDATE erased SET erasure = ?, erased_at = ?, line = 0 WHERE account = ?
      AND record = ? AND line = ?`,
    byProbe: sql<readonly [mark: string, erasure: string]>`SELECT mark, erasure
      FROM erased INDEXED BY erased_probe WHERE account = ? AND probe = ?`,
    /** Takes account ?, with a mark from ? on and before ?. */
    beside: sql<readonly [1]>`SELECT 1 FROM erased INDEXED BY erased_mark
      WHERE account = ? AND mark >= ? AND mark < ? LIMIT 1`,
    insert: sql`INSERT INTO erased (account, record, resource, anchor, parent, erasure, erased_at,
      key, probe,
        mark, unforgotten, line, position)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (account, record) DO UPDATE SET unforgotten = excluded.unforgotten,
        position = excluded.position`,
    /** Takes account ?, unique identifier ?, of resource ?. */
    gone: sql<
      readonly [number, parent: number, external_identifier: string, position: number]
    >`SELECT number, parent, external_identifier, position FROM gone
      WHERE account = ? AND record = ? AND resource = ?`,
    goneNumber: sql<
      readonly [parent: number, external_identifier: string, unique_identifier: string]
    >`SELECT parent, external_identifier, record FROM gone INDEXED BY gone_number
      WHERE account = ? AND number = ?`,
    removalAt: sql<LogRow>`${rows}`,
    changesAt: sql<LogRow>`${rows} ORDER BY place DESC`,
    /** Gives the row of account ?, position ?, place ? other contents and their sum. */
    empty: sql`UPDATE change SET contents = ?, sum = ? WHERE account = ? AND position = ?
      AND place = ?`,
    unforgotten: sql<
      readonly [account: string, record: string, position: number, number: number]
    >`SELECT erased.account, record, unforgotten, account.number FROM erased
      JOIN account ON account.unique_identifier = erased.account
      WHERE unforgotten > 0 AND erased.account = coalesce(?1, erased.account)
        AND erased.account NOT IN (SELECT value FROM json_each(?2))
      ORDER BY erased.account, record LIMIT 1`,
    forgotten: sql`UPDATE erased SET unforgotten = ? WHERE account = ? AND record = ?`,
    forgetAbout: forgetAbout.map(({ sqlite }) => prepare(database, sqlite)),
    forgetAged: forgetAged.map(({ sqlite }) => prepare(database, sqlite)),
    unmarked: sql`DELETE FROM erased WHERE account = ? AND record = ? AND key = ''`,
  };
}
