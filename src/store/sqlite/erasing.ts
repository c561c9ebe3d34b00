/** Erased records in a SQLite store: erased within a transaction, known again in commits, and forgotten by the log. */
import { performance } from 'node:perf_hooks';
import { type ErasedMarks, keyless, type Link } from '../erased-marks.ts';
import { quoteName, tableName } from '../names.ts';
import {
  type ErasedDraft,
  type ErasedPast,
  type EraseOutcome,
  type EraseRequest,
  OUTSIDE_JOURNAL,
} from '../promises/erasing/book.ts';
import { sealedProbe } from '../promises/erasing/sealed.ts';
import type { LogEntry, LoggedChange } from '../promises/log.ts';
import { recordHeld } from '../promises/refusals.ts';
import { toRecord } from '../records/records.ts';
import { redactedContent } from '../records/redacted.ts';
import { changesOf, withContents } from './commit/change-rows.ts';
import type { Keeping } from './commit/keeping.ts';
import type { Receipts } from './commit/receipts.ts';
import { Turn } from './commit/turn.ts';
import type { Context } from './context.ts';
import { indexedValues, parentTable, recordSum } from './schema/tables.ts';
import { erasingStatements } from './statements/erased.ts';
import { prepare, type Statement } from './statements/prepare.ts';

/** How long one transaction erases or forgets: no longer than a commit of drafts takes. */
const PIECE_MS = 4;
/** Records that are erased in it also while other programs have the processor. */
const AT_LEAST = 5;

/** The numbers of the account and of what a record belongs to. */
interface Owners {
  readonly account: number;
  readonly parent: number;
}

/** An existing record, or one that was removed. */
interface Doomed extends Owners {
  readonly number: number;
  readonly external_identifier: string;
  /** The unique identifier of what it belongs to. */
  readonly above: string | null;
  readonly anchor: string | null;
  /** The position of its last change, and the version after that. */
  readonly position: number;
  readonly version: number;
  readonly isRemoved: boolean;
}

type Above = Statement<readonly [parent: number, external_identifier: string]>;

export class Erasing {
  readonly #context: Context;
  readonly #receipts: Receipts;
  readonly #keeping: Keeping;
  readonly #marks: ErasedMarks;
  readonly #statements: ReturnType<typeof erasingStatements>;
  readonly #above = new Map<string, Above>();

  constructor(context: Context, receipts: Receipts, keeping: Keeping, marks: ErasedMarks) {
    this.#context = context;
    this.#receipts = receipts;
    this.#keeping = keeping;
    this.#marks = marks;
    this.#statements = erasingStatements(context.connection.database);
  }

  get marks(): ErasedMarks {
    return this.#marks;
  }

  /** Whether anything of the account was erased. */
  someOf(account: string): boolean {
    return this.#statements.some.get(account) !== undefined;
  }

  /** Whether anything like it was erased, below the same; `someOf` its account was. */
  someBeside({ shape: { resource }, account }: ErasedDraft, owners: Owners): boolean {
    const { keys, beginning } = this.#marks;
    if (keys.length === 0) throw keyless();
    const [, ...above] = this.#chainOf([resource, ''], owners);
    return keys.some((key) => {
      const from = beginning(key, resource, above);
      return this.#statements.beside.get(account, from, `${from}~`) !== undefined;
    });
  }

  /** The erasure of this record, if it was erased; `someOf` its account was. */
  erasureOf(
    { shape, account, external_identifier }: ErasedDraft,
    owners: Owners,
  ): string | undefined {
    const sealed = sealedProbe(external_identifier);
    const known = sealed && this.#statements.byProbe.get(account, sealed);
    if (known) return known[1];
    const link: Link = [shape.resource, external_identifier];
    const { keys } = this.#marks;
    if (keys.length === 0) throw keyless();
    let chain: readonly Link[] | undefined;
    for (const key of keys) {
      const rows = this.#statements.byProbe.all(account, this.#marks.probe(key, link));
      if (rows.length === 0) continue;
      chain ??= this.#chainOf(link, owners);
      const mark = this.#marks.mark(key, chain);
      const found = rows.find(([known]) => known === mark);
      if (found !== undefined) return found[1];
    }
    return undefined;
  }

  /** The same for a draft outside of a commit. */
  refuses(draft: ErasedDraft): string | undefined {
    if (!this.someOf(draft.account)) return undefined;
    const owners = this.#ownersOf(draft);
    return owners && this.erasureOf(draft, owners);
  }

  #ownersOf(draft: ErasedDraft): Owners | undefined {
    const { openAccount, table, root } = this.#context;
    const account = openAccount(draft.account);
    const above = table(draft.shape.resource).shape.parent?.resource ?? '';
    const parent =
      above === root.resource
        ? account
        : account && table(above).records.stands.get(account, draft.parent)?.[0];
    return account === undefined || parent === undefined ? undefined : { account, parent };
  }

  /** Within a transaction, for some milliseconds. */
  erase(requests: readonly EraseRequest[]): readonly EraseOutcome[] {
    const until = performance.now() + PIECE_MS;
    const outcomes: EraseOutcome[] = [];
    for (const request of requests) {
      outcomes.push(this.#erase(request));
      if (outcomes.length >= AT_LEAST && performance.now() >= until) break;
    }
    return outcomes;
  }

  /** Writes nothing unless the outcome is `erased`. */
  #erase({
    resource,
    account,
    record,
    erasure,
    by,
    aged,
    version: judged,
    parent_version,
  }: EraseRequest): EraseOutcome {
    const statements = this.#statements;
    const isKnown = statements.known.get(account, record) !== undefined;
    if (isKnown && aged === undefined) {
      statements.adopt.run(erasure, this.#context.now(), account, record, OUTSIDE_JOURNAL);
      return 'erased';
    }
    const [key] = this.#marks.keys;
    if (key === undefined) return 'keyless';
    const owner = this.#context.openAccount(account);
    const doomed = owner === undefined ? undefined : this.#find(resource, owner, record);
    if (doomed === undefined || (aged && doomed.isRemoved)) return isKnown ? 'erased' : 'missing';
    const { anchor, above, isRemoved } = doomed;
    if (judged !== undefined && judged !== doomed.version) return 'changed';
    if (parent_version !== undefined && parent_version !== this.#parentVersion(resource, doomed))
      return 'changed';
    if (this.#keptBy(account, resource, record, doomed) !== undefined) return 'held';
    const isParent = this.#hasChildren(resource, doomed);
    if (isParent && aged) return 'has_children';
    const redacted = isParent ? this.#redacted(resource, doomed) : undefined;
    if (redacted === 'whole') return 'has_children';
    const link: Link = [resource, doomed.external_identifier];
    const marks =
      aged === 'unmarked'
        ? ['', '', '']
        : [key, this.#marks.probe(key, link), this.#marks.mark(key, this.#chainOf(link, doomed))];
    const turn = new Turn(this.#context);
    const here = turn.positionIn(doomed.account);
    statements.insert.run(
      account,
      record,
      resource,
      anchor,
      above ?? '',
      erasure,
      turn.now,
      ...marks,
      doomed.position,
      aged ? OUTSIDE_JOURNAL : 0,
      here,
      doomed.number,
    );
    this.#receipts.forgetRecord(doomed.number);
    let { version, position: before } = doomed;
    const log = (outcome: LogEntry['outcome'], by: string): void => {
      version += 1;
      const entry = { resource, record, anchor, outcome, version, before, by, content: null };
      turn.log(doomed.account, entry);
      before = turn.positionIn(doomed.account);
    };
    if (redacted !== undefined) {
      log('updated', by);
      redacted(turn, this.#marks.sealed(key, link));
    } else if (isRemoved) {
      this.#context.changes.bringBack.run(doomed.account, record);
    } else {
      log('deleted', by);
      prepare(
        this.#context.connection.database,
        `DELETE FROM ${quoteName(tableName(this.#context.table(resource).shape))} WHERE number = ?`,
      ).run(doomed.number);
    }
    if (aged === undefined) log('erased', erasure);
    turn.end();
    return 'erased';
  }

  /** The hold, or the rule, that keeps a record, even one that was removed. */
  #keptBy(account: string, resource: string, record: string, doomed: Doomed): string | undefined {
    const { anchor, above: parent, number, isRemoved } = doomed;
    const keepers = this.#keeping.in(account);
    const leaving = isRemoved ? [] : [{ resource, numbers: [number] }];
    return (
      keepers.over({ account, unique_identifier: record, anchor, parent }) ??
      this.#keeping.young(keepers, leaving)
    );
  }

  /** Whether there is anything left to forget. */
  get unforgotten(): boolean {
    return this.#statements.unforgotten.get() !== undefined;
  }

  /** Empties changes of erased records, the newest first, for some milliseconds. */
  forget(): void {
    const until = performance.now() + PIECE_MS;
    do {
      const next = this.#statements.unforgotten.get();
      if (next === undefined) return;
      const [account, record, position, number] = next;
      const before = this.#forgetAt(number, record, position);
      const left = before < position ? before : 0;
      this.#statements.forgotten.run(left, account, record);
      if (left === 0) this.#statements.unmarked.run(account, record);
    } while (performance.now() < until);
  }

  /** The same of a record that stays, from that position back; gives the one to go on from. */
  forgetPast({ account, resource, record, position }: ErasedPast): number {
    const owner = this.#context.openAccount(account);
    if (owner === undefined) return 0;
    const found = this.#find(resource, owner, record);
    if (found === undefined || found.isRemoved) return 0;
    const held = this.#keptBy(account, resource, record, found);
    if (held !== undefined) throw recordHeld(held);
    this.#receipts.forgetRecord(found.number);
    const until = performance.now() + PIECE_MS;
    let at = position;
    do {
      const before = this.#forgetAt(owner, record, at);
      at = before < at ? before : 0;
    } while (at > 0 && performance.now() < until);
    return at;
  }

  /** The position of the record's change before those at that one; 0: there is none. */
  #forgetAt(account: number, record: string, position: number): number {
    let first = 0;
    for (const row of this.#statements.changesAt.all(account, position, record)) {
      const changes = changesOf('', row);
      const own = changes.filter((one) => one.record === record);
      const before = Math.min(...own.map((one) => one.before));
      if (first === 0 && own.length > 0) first = before;
      // What is damaged may stand for this record.
      const keeps = (one: LoggedChange) => one.record !== record && !one.damaged;
      const [contents, sum] = withContents(row, changes, keeps);
      this.#statements.empty.run(contents, sum, account, position, row[1]);
    }
    return first;
  }

  #find(resource: string, account: number, record: string): Doomed | undefined {
    const { shape } = this.#context.table(resource);
    const parents = parentTable(shape, this.#context.root);
    if (parents === undefined) return undefined;
    const { database } = this.#context.connection;
    const row = prepare<readonly [number, number, string, string, number, number]>(
      database,
      `SELECT number, parent, external_identifier, anchor, position, version
       FROM ${quoteName(tableName(shape))} WHERE account = ? AND unique_identifier = ?`,
    ).get(account, record);
    const above = (number: number): string | null =>
      this.#context.table(shape.parent?.resource ?? '').records.byNumber.get(number)?.[0] ??
      this.#statements.goneNumber.get(account, number)?.[2] ??
      null;
    if (row !== undefined) {
      const [number, parent, external_identifier, anchor, position, version] = row;
      return {
        ...{ account, number, parent, external_identifier, anchor, position, version },
        ...{ above: above(parent), isRemoved: false },
      };
    }
    const gone = this.#statements.gone.get(account, record, resource);
    if (gone === undefined) return undefined;
    const [number, parent, external_identifier, position] = gone;
    const removal = this.#statements.removalAt
      .all(account, position, record)
      .flatMap((one) => changesOf('', one))
      .find((one) => one.record === record);
    const { anchor = null, version = 0 } = removal ?? {};
    return {
      ...{ account, number, parent, external_identifier, position, version },
      ...{ anchor, above: above(parent), isRemoved: true },
    };
  }

  /** Writes what stays of a record that others need; `whole` where it may not be redacted. */
  #redacted(resource: string, { account, number }: Doomed) {
    const { shape, records } = this.#context.table(resource);
    const { database } = this.#context.connection;
    const table = quoteName(tableName(shape));
    const [document = '', inserted_at = 0, version = 0] =
      prepare<readonly [string, number, number]>(
        database,
        `SELECT document, inserted_at, version FROM ${table} WHERE number = ?`,
      ).get(number) ?? [];
    const content = redactedContent(shape, document);
    if (content === undefined) return 'whole';
    return (turn: Turn, external_identifier: string): void => {
      const position = turn.positionIn(account);
      const updated_at = Math.max(turn.now, inserted_at);
      const left = { document: content.document, version: version + 2, position, updated_at };
      records.update.run(
        ...[left.document, left.version, position, updated_at, null],
        recordSum({ ...left, inserted_at }),
        ...indexedValues({ updated_at, inserted_at }, content.keys),
        number,
      );
      prepare(database, `UPDATE ${table} SET external_identifier = ? WHERE number = ?`).run(
        external_identifier,
        number,
      );
    };
  }

  #parentVersion(resource: string, { parent }: Doomed): number | undefined {
    const { shape } = this.#context.table(resource);
    const row = this.#context.table(shape.parent?.resource ?? '').records.byNumber.get(parent);
    return row && toRecord(row).version;
  }

  #hasChildren(resource: string, { account, number }: Doomed): boolean {
    const { database } = this.#context.connection;
    return [...this.#context.tables.values()].some(
      ({ shape }) =>
        shape.parent?.resource === resource &&
        prepare(
          database,
          `SELECT 1 FROM ${quoteName(tableName(shape))} WHERE account = ? AND parent = ? LIMIT 1`,
        ).get(account, number) !== undefined,
    );
  }

  /** The record and all above it, as far as it is known. */
  #chainOf(link: Link, { account, parent }: Owners): readonly Link[] {
    const chain = [link];
    let { shape } = this.#context.table(link[0]);
    for (let number = parent; ; ) {
      const above = shape.parent?.resource;
      if (above === undefined || above === this.#context.root.resource) return chain;
      const row =
        this.#aboveOf(above).get(number) ?? this.#statements.goneNumber.get(account, number);
      if (row === undefined) return chain;
      chain.push([above, row[1]]);
      number = row[0];
      ({ shape } = this.#context.table(above));
    }
  }

  #aboveOf(resource: string): Above {
    let statement = this.#above.get(resource);
    if (statement === undefined) {
      const table = quoteName(tableName(this.#context.table(resource).shape));
      statement = prepare(
        this.#context.connection.database,
        `SELECT parent, external_identifier FROM ${table} WHERE number = ?`,
      );
      this.#above.set(resource, statement);
    }
    return statement;
  }
}
