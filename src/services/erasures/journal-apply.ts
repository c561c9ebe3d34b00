/** Does again what a line of the journal tells, in a store that was set back. */
import type { Resource } from '../../core/schema/define.ts';
import type { JournalLine } from '../../store/promises/erasing/journal.ts';
import type { Store } from '../../store/promises/store.ts';
import { entryOf } from './journal-lines.ts';
import { erasePast } from './past.ts';

/**
 * `isLast`: no later line tells the same of the record. Whether it is done: what is held is not forgotten, and where the
 * record is at a version whose content was to go, that goes once it is changed.
 */
export async function applyLine(
  store: Pick<Store, 'find' | 'journal' | 'erasing' | 'remove'>,
  resources: readonly Resource[],
  { line, text }: JournalLine,
  isLast: boolean,
): Promise<boolean> {
  const { journal, erasing } = store;
  const entry = entryOf({ text });
  const { account, record } = entry;
  if (entry.did === 'lifted') {
    const named = { account, record };
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
  if (!isLast) {
    await journal.applied(line, { erased: { account, record } });
    return true;
  }
  const request = { resource, account, record, erasure, by: erasure };
  const erase = async () => (shape === undefined ? 'missing' : erasing.erase(request));
  let outcome = await erase();
  if (outcome === 'has_children' && shape !== undefined) {
    // It had none when it was erased: they had been removed.
    await store.remove({ shape, account, unique_identifier: record, cascade: true, by: erasure });
    outcome = await erase();
  }
  if (outcome === 'erased') await journal.applied(line, { erased: { account, record } });
  else if (outcome === 'missing') await journal.applied(line, { remembers: entry });
  else return false;
  return true;
}
