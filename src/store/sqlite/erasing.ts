/** Erased records in a SQLite store: erased within a transaction, known again in commits, and forgotten by the log. */
import type { RecordShape } from '../../core/schema/shape.ts';
import { type ErasedMarks, keyless, type Link } from '../erased-marks.ts';
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
import type { Content } from '../records/content.ts';
import { judgeErasure } from '../records/erasable.ts';
import { toRecord } from '../records/records.ts';
import { changesOf, withContents } from './commit/change-rows.ts';
import type { Keeping } from './commit/keeping.ts';
import type { Receipts } from './commit/receipts.ts';
import { Turn } from './commit/turn.ts';
import type { Context } from './context.ts';
import { indexedValues, recordSum } from './schema/tables.ts';
import { erasingStatements } from './statements/erased.ts';

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
interface Doomed extends OwnerNumbers {
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

export class Erasing {
  readonly #context: Context;
  readonly #receipts: Receipts;
  readonly #keeping: Keeping;
  readonly #marks: ErasedMarks;
  readonly #statements: ReturnType<typeof erasingStatements>;

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
  someBeside({ shape: { resource }, account }: ErasedDraft, owners: OwnerNumbers): boolean {
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
    owners: OwnerNumbers,
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

  /** Finds the erasure that refuses a draft, outside of a commit. */
  refuses(draft: ErasedDraft): string | undefined {
    if (!this.someOf(draft.account)) return undefined;
    const owners = this.#ownersOf(draft);
    return owners && this.erasureOf(draft, owners);
  }

  #ownersOf(draft: ErasedDraft): OwnerNumbers | undefined {
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
  #erase(request: EraseRequest): EraseOutcome {
    const { resource, account, record, erasure } = request;
    const owner = this.#context.openAccount(account);
    const doomed = owner === undefined ? undefined : this.#find(resource, owner, record);
    const { shape } = this.#context.table(resource);
    const verdict = judgeErasure(shape, request, {
      isKnown: this.#statements.known.get(account, record) !== undefined,
      hasKey: this.#marks.keys.length > 0,
      stored: doomed?.isRemoved ? undefined : doomed,
      wasRemoved: doomed?.isRemoved === true,
      parentVersion: () => doomed && this.#parentVersion(shape, doomed),
      keptBy: () => doomed && this.#keptBy(account, resource, record, doomed),
      isParent: () => doomed !== undefined && this.#hasChildren(resource, doomed),
    });
    if (verdict === 'adopt') {
      const now = this.#context.now();
      this.#statements.adopt.run(erasure, now, account, record, OUTSIDE_JOURNAL);
      return 'erased';
    }
    if (doomed === undefined || (typeof verdict === 'string' && verdict !== 'remove'))
      return verdict as EraseOutcome;
    this.#write(request, doomed, typeof verdict === 'string' ? undefined : verdict);
    return 'erased';
  }

  /** Marks the record, removes or redacts it, and logs that. */
  #write(
    { resource, account, record, erasure, by, aged }: EraseRequest,
    doomed: Doomed,
    left: Content | undefined,
  ): void {
    const { anchor, above, isRemoved } = doomed;
    const [key = ''] = this.#marks.keys;
    const link: Link = [resource, doomed.external_identifier];
    const marks =
      aged === 'unmarked'
        ? ['', '', '']
        : [key, this.#marks.probe(key, link), this.#marks.mark(key, this.#chainOf(link, doomed))];
    const turn = new Turn(this.#context);
    const here = turn.positionIn(doomed.account);
    this.#statements.insert.run(
      ...[account, record, resource, anchor, above ?? '', erasure, turn.now, ...marks],
      ...[doomed.position, aged ? OUTSIDE_JOURNAL : 0, here, doomed.number],
    );
    this.#receipts.forgetRecord(doomed.number);
    let { version, position: before } = doomed;
    const log = (outcome: LogEntry['outcome'], by: string): void => {
      version += 1;
      const entry = { resource, record, anchor, outcome, version, before, by, content: null };
      turn.log(doomed.account, entry);
      before = here;
    };
    if (left !== undefined) {
      log('updated', by);
      this.#redact(turn, resource, doomed, { ...left, name: this.#marks.sealed(key, link) });
    } else if (isRemoved) {
      this.#context.changes.bringBack.run(doomed.account, record);
    } else {
      log('deleted', by);
      this.#context.table(resource).drafts?.removeSome.run(JSON.stringify([doomed.number]));
    }
    if (aged === undefined) log('erased', erasure);
    turn.end();
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

  /** Forgets the past of a record that stays, from that position back; gives the one to go on from. */
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
    const { shape, drafts } = this.#context.table(resource);
    if (drafts === undefined) return undefined;
    const row = drafts.erasable.get(account, record);
    const above = (number: number): string | null =>
      this.#context.table(shape.parent?.resource ?? '').records.byNumber.get(number)?.[0] ??
      this.#statements.goneNumber.get(account, number)?.[2] ??
      null;
    if (row !== undefined) {
      const [number, parent, external_identifier, anchor, position, ...content] = row;
      const [version, document, inserted_at] = content;
      return {
        account,
        number,
        parent,
        external_identifier,
        anchor,
        position,
        version,
        document,
        inserted_at,
        above: above(parent),
        isRemoved: false,
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
      account,
      number,
      parent,
      external_identifier,
      position,
      version,
      document: '',
      inserted_at: 0,
      anchor,
      above: above(parent),
      isRemoved: true,
    };
  }

  /** Writes what stays of a record that others need, under a sealed name. */
  #redact(
    turn: Turn,
    resource: string,
    { account, number, inserted_at, version }: Doomed,
    { document, keys, name }: Content & { readonly name: string },
  ): void {
    const { records, drafts } = this.#context.table(resource);
    const position = turn.positionIn(account);
    const updated_at = Math.max(turn.now, inserted_at);
    const left = { document, version: version + 2, position, updated_at };
    records.update.run(
      ...[document, left.version, position, updated_at, null],
      recordSum({ ...left, inserted_at }),
      ...indexedValues({ updated_at, inserted_at }, keys),
      number,
    );
    drafts?.rename.run(name, number);
  }

  #parentVersion(shape: RecordShape, { parent }: Doomed): number | undefined {
    const row = this.#context.table(shape.parent?.resource ?? '').records.byNumber.get(parent);
    return row && toRecord(row).version;
  }

  #hasChildren(resource: string, { account, number }: Doomed): boolean {
    const { table } = this.#context;
    return table(resource).children.some(
      (child) => table(child).drafts?.someBelow.get(account, number) !== undefined,
    );
  }

  /** The record and all above it, as far as it is known. */
  #chainOf(link: Link, { account, parent }: OwnerNumbers): readonly Link[] {
    const chain = [link];
    let { shape } = this.#context.table(link[0]);
    for (let number = parent; ; ) {
      const above = shape.parent?.resource;
      if (above === undefined || above === this.#context.root.resource) return chain;
      const row =
        this.#context.table(above).drafts?.pair.get(number) ??
        this.#statements.goneNumber.get(account, number);
      if (row === undefined) return chain;
      chain.push([above, row[1]]);
      number = row[0];
      ({ shape } = this.#context.table(above));
    }
  }
}
