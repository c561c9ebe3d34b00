/** Removes a record and everything below it, within a transaction. */
import {
  MAX_REMOVED,
  type Refused,
  type Removal,
  type Removed,
  type Repeated,
} from '../../promises/store.ts';
import type { Taking } from '../../receipt-room.ts';
import { toRecord } from '../../records/records.ts';
import { judgeRemoval } from '../../records/removing.ts';
import type { Context } from '../context.ts';
import { NUMBER, type RemovalStatements, removalStatements } from '../statements/records.ts';
import type { Keeping } from './keeping.ts';
import type { Receipts } from './receipts.ts';
import { Turn } from './turn.ts';

/** Records that are read and removed at a time: each may have a megabyte. */
const AT_ONCE = 100;

interface Removing {
  readonly done: Removed | Refused | Repeated;
  /** The room that its receipt takes. */
  readonly taken: readonly Taking[];
}

/** Records of one resource that go. */
interface Going {
  readonly resource: string;
  readonly numbers: readonly number[];
  /** Whether one of them is from other sources than those that are to be removed. */
  readonly others: boolean;
}

export class Removals {
  readonly #context: Context;
  readonly #receipts: Receipts;
  readonly #keeping: Keeping;
  readonly #statements: ReadonlyMap<string, RemovalStatements>;

  constructor(context: Context, receipts: Receipts, keeping: Keeping) {
    const { database } = context.connection;
    const tables = [...context.tables.values()];
    this.#context = context;
    this.#receipts = receipts;
    this.#keeping = keeping;
    this.#statements = new Map(
      tables.flatMap(({ shape, parents }) =>
        parents === undefined
          ? []
          : [[shape.resource, removalStatements(database, shape, parents)]],
      ),
    );
  }

  /** Commit it only if the outcome is `deleted`. */
  remove(removal: Removal): Removing {
    const { shape, account, unique_identifier, receipt } = removal;
    const turn = new Turn(this.#context);
    const repeated = receipt && this.#receipts.repeatedOrFull(receipt, [account], turn.now);
    if (repeated !== undefined) return { done: repeated, taken: [] };
    const owner = this.#context.openAccount(account) ?? 0;
    const row = this.#of(shape.resource).find.get(owner, unique_identifier);
    const number = row?.[NUMBER] ?? 0;
    const itself = { resource: shape.resource, numbers: [number], others: false };
    let below: readonly Going[] = [];
    const removed = judgeRemoval(removal, row && toRecord(row), (record) => {
      below = this.#findBelow(removal, owner, itself);
      const keepers = this.#keeping.in(account);
      const kept = keepers.over(record, true) ?? this.#keeping.young(keepers, [itself, ...below]);
      return { below: countOf(below), kept, others: below.some(({ others }) => others) };
    });
    if (removed.outcome === 'refused' || removal.rehearse === true)
      return { done: removed, taken: [] };
    for (const one of [itself, ...below]) {
      this.#take(turn, owner, removal, one, one === itself ? countOf(below) : null);
    }
    turn.end();
    if (receipt === undefined) return { done: removed, taken: [] };
    const made = this.#receipts.begin();
    this.#receipts.keepRemoval(made, receipt, removed, owner);
    return { done: removed, taken: made.taken };
  }

  /**
   * Finds what is below a record, parents before children. Without `cascade` no more than one record, and never more
   * than one more than can be removed.
   */
  #findBelow({ cascade, sources }: Removal, account: number, itself: Going): readonly Going[] {
    const most = cascade ? MAX_REMOVED + 1 : 1;
    const from = sources && JSON.stringify(sources);
    const found: Going[] = [];
    for (let last = [itself]; last.length > 0 && countOf(found) < most; ) {
      const next: Going[] = [];
      for (const { resource, numbers } of last) {
        const parents = JSON.stringify(numbers);
        for (const child of this.#context.table(resource).children) {
          const { under, someOthers } = this.#of(child);
          const left = most - countOf(found) - countOf(next);
          const rows = left > 0 ? under.all(account, parents, left) : [];
          if (rows.length === 0) continue;
          const others = from !== undefined && someOthers.get(account, parents, from) !== undefined;
          next.push({ resource: child, numbers: rows.map(([one]) => one), others });
        }
      }
      found.push(...next);
      last = next;
    }
    return found;
  }

  /**
   * Logs that records are removed, keeps where their changes are, if the log keeps content, and deletes them. `below`:
   * how many go with this one; `null`: it goes with another one.
   */
  #take(
    turn: Turn,
    account: number,
    { by }: Removal,
    { resource, numbers }: Going,
    below: number | null,
  ): void {
    const { keepsContent, table } = this.#context;
    const { rows, keep } = this.#of(resource);
    for (let from = 0; from < numbers.length; from += AT_ONCE) {
      const these = JSON.stringify(numbers.slice(from, from + AT_ONCE));
      for (const [record, anchor, version, before, document] of rows.all(these)) {
        const content = keepsContent ? document : null;
        turn.log(account, {
          resource,
          record,
          anchor,
          outcome: 'deleted',
          version: version + 1,
          before,
          by,
          content,
        });
      }
      if (keepsContent) keep.run(turn.positionIn(account), below, these);
      const { drafts } = table(resource);
      drafts?.forgetSome.run(these);
      drafts?.removeSome.run(these);
    }
  }

  #of(resource: string): RemovalStatements {
    const statements = this.#statements.get(resource);
    if (statements === undefined) throw new TypeError(`No ${resource} can be removed.`);
    return statements;
  }
}

function countOf(going: readonly Going[]): number {
  return going.reduce((sum, { numbers }) => sum + numbers.length, 0);
}
