/** Does again what a line of the journal tells, in a store that was set back. */
import { UNPROVED } from '../../core/objects/records/erasure-proof.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { ErasureBook } from '../../store/promises/erasing/book.ts';
import type { ErasedTombstone, JournalLine } from '../../store/promises/erasing/journal.ts';
import type { Store } from '../../store/promises/store.ts';
import { entryOf } from './journal-lines.ts';
import { erasePast } from './past.ts';

/** What the journal works on. */
export type JournalStore = Pick<Store, 'find' | 'journal' | 'erasing' | 'erasures' | 'remove'>;

/** By whom an erasure was begun that only the journal knows. */
const JOURNAL = 'journal';

/**
 * `isLast`: no later line tells the same of the record. Whether it is done: what is held is not forgotten, and where the
 * record is at a version whose content was to go, that goes once it is changed.
 */
export async function applyLine(
  store: JournalStore,
  resources: readonly Resource[],
  { line, text }: JournalLine,
  isLast: boolean,
): Promise<boolean> {
  const { journal, erasing } = store;
  const entry = entryOf({ text });
  const { account, record } = entry;
  const named = { account, record };
  if (entry.did === 'lifted') {
    await journal.applied(line, isLast ? { lifts: named } : { erased: named });
    return true;
  }
  const { resource, erasure } = entry;
  const shape = resources.find((one) => one.shape.resource === resource)?.shape;
  if (entry.did === 'past_erased') {
    const past = shape && isLast ? await erasePast(store, shape, account, record) : 'missing';
    if (past === 'held' || (past !== 'missing' && past < entry.version)) return false;
    await journal.applied(line);
    return true;
  }
  await rememberErasure(store.erasures, entry);
  if (!isLast) {
    await journal.applied(line, { erased: named }, entry);
    return true;
  }
  const request = { resource, account, record, erasure, by: erasure };
  const erase = async () => (shape === undefined ? 'missing' : (await erasing.erase([request]))[0]);
  let outcome = await erase();
  if (outcome === 'has_children' && shape !== undefined) {
    // It had none when it was erased: they had been removed.
    await store.remove({ shape, account, unique_identifier: record, cascade: true, by: erasure });
    outcome = await erase();
  }
  if (outcome === 'erased') await journal.applied(line, { erased: named }, entry);
  else if (outcome === 'missing') await journal.applied(line, { remembers: entry }, entry);
  else return false;
  return true;
}

/** An erasure that the store was set back from is there again, with what its lines tell: it is done. */
async function rememberErasure(
  erasures: ErasureBook,
  { erasure, account, resource, record, erased_at }: ErasedTombstone,
): Promise<void> {
  const known = await erasures.find(erasure);
  if (known !== undefined && (known.by !== JOURNAL || known.records.includes(record))) return;
  const match = { resource, record, reasons: ['named'] };
  if (known !== undefined) {
    const [records, matches] = [
      [...known.records, record],
      [...known.matches, match],
    ];
    await erasures.replace({ ...known, records, matches });
    return;
  }
  await erasures.add({
    ...{ unique_identifier: erasure, account, status: 'done', reference: null, basis: null },
    ...{ received_at: erased_at, due_at: erased_at, inserted_at: erased_at, updated_at: erased_at },
    ...{ matches: [match], records: [record], past_only: [], left: [], refused_rows: 0 },
    named_in: [],
    ...{ looked: 'everywhere', selectors: null, place: null, by: JOURNAL, revision: 0 },
    ...UNPROVED,
  });
}
