/** Removes a record and everything below it, within a transaction. */
import { WHENEVER } from '../../promises/records.ts';
import { MAX_REMOVED, type Removal } from '../../promises/store.ts';
import { toRecord } from '../../records/records.ts';
import { judgeRemoval } from '../../records/removing.ts';
import type { Context } from '../context.ts';
import { NUMBER } from '../statements/records.ts';
import { createEntries, type Entries } from './entries.ts';
import type { Keeping } from './keeping.ts';
import type { Receipts } from './receipts.ts';

/** Records that are read and removed at a time: each may have a megabyte. */
const AT_ONCE = 100;

/** Records of one resource that go. */
interface RemovalRow {
  readonly resource: string;
  readonly numbers: readonly number[];
  /** Whether one of them is from other sources than those that are to be removed. */
  readonly others: boolean;
}

/**
 * Returns what removes a record. Commit it only if the outcome is `deleted`; `taken` is the room that its receipt takes.
 */
export function createRemoving(context: Context, receipts: Receipts, keeping: Keeping) {
  const { drafts } = context;

  /**
   * Finds what is below a record, parents before children. Without `cascade` no more than one record, and never more
   * than one more than can be removed.
   */
  function findBelow(
    { cascade, sources, until = WHENEVER }: Removal,
    account: number,
    itself: RemovalRow,
  ) {
    const most = cascade ? MAX_REMOVED + 1 : 1;
    const from = sources && JSON.stringify(sources);
    const found: RemovalRow[] = [];
    for (let last = [itself]; last.length > 0 && countOf(found) < most; ) {
      const next: RemovalRow[] = [];
      for (const { resource, numbers } of last) {
        const parents = JSON.stringify(numbers);
        for (const child of context.table(resource).children) {
          const { under, someOthers } = drafts(child).removal;
          const left = most - countOf(found) - countOf(next);
          const rows = left > 0 ? under.all(account, parents, left) : [];
          if (rows.length === 0) continue;
          const others =
            from !== undefined &&
            someOthers.get(account, parents, from, until.position, until.at) !== undefined;
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
  function take(
    entries: Entries,
    account: number,
    { by }: Removal,
    { resource, numbers }: RemovalRow,
    below: number | null,
  ): void {
    const { keepsContent } = context;
    const { removal, removeSome } = drafts(resource);
    const { rows, keep } = removal;
    const outcome = 'deleted';
    for (let from = 0; from < numbers.length; from += AT_ONCE) {
      const these = JSON.stringify(numbers.slice(from, from + AT_ONCE));
      for (const [record, anchor, last, before, document] of rows.all(these)) {
        const [version, content] = [last + 1, keepsContent ? document : null];
        entries.log(account, { resource, record, anchor, outcome, version, before, by, content });
      }
      if (keepsContent) keep.run(entries.positionIn(account), below, these);
      removeSome.run(these);
    }
  }

  return (removal: Removal) => {
    const { shape, account, unique_identifier, receipt } = removal;
    const entries = createEntries(context);
    const repeated = receipt && receipts.repeatedOrFull(receipt, [account], context.now());
    if (repeated !== undefined) return { done: repeated, taken: [] };
    const owner = context.openAccount(account) ?? 0;
    const row = drafts(shape.resource).removal.find.get(owner, unique_identifier);
    const number = row?.[NUMBER] ?? 0;
    const itself = { resource: shape.resource, numbers: [number], others: false };
    let below: readonly RemovalRow[] = [];
    const removed = judgeRemoval(removal, row && toRecord(row), (record) => {
      below = findBelow(removal, owner, itself);
      const keepers = keeping.keepersIn(account);
      const keeper = keepers.over(record, true) ?? keeping.young(keepers, [itself, ...below]);
      return { below: countOf(below), keeper, others: below.some(({ others }) => others) };
    });
    if (removed.outcome === 'refused' || removal.rehearse === true)
      return { done: removed, taken: [] };
    for (const one of [itself, ...below]) {
      take(entries, owner, removal, one, one === itself ? countOf(below) : null);
    }
    entries.end();
    if (receipt === undefined) return { done: removed, taken: [] };
    const made = receipts.begin();
    receipts.keepRemoval(made, receipt, removed, owner);
    return { done: removed, taken: made.taken };
  };
}

function countOf(going: readonly RemovalRow[]): number {
  return going.reduce((sum, { numbers }) => sum + numbers.length, 0);
}
