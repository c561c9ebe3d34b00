/** Does what lines of the journal of erasures say, in a store that was set back. */
import type { Resource } from '../../core/schema/define.ts';
import type { JournalLine } from '../../store/books/erasing/journal.ts';
import type { Store } from '../../store/promises/store.ts';
import { entryOf } from './journal-lines.ts';
import { sealTraces, type TracesParts } from './proof.ts';
import { eraseHistory, newErasure } from './steps.ts';

/** The `by` of an erasure that only the journal knows. */
const JOURNAL = 'journal';

/**
 * Applies a line; `isLast` if no later line has its subject. Returns whether it is done: a record on hold waits for the
 * release of its hold, and a record that is at a version whose content was erased waits for its next change.
 */
export async function applyLine(
  store: Store,
  resources: readonly Resource[],
  { line, text }: JournalLine,
  isLast: boolean,
): Promise<boolean> {
  const { journal, erasing } = store;
  const entry = entryOf({ text });
  const { account, record } = entry;
  const named = { account, record };
  if (!isLast && entry.did !== 'past_erased') {
    await journal.applied(line, { erased: named });
    return true;
  }
  if (entry.did === 'lifted') {
    await journal.applied(line, { lifts: named });
    return true;
  }
  const { resource, erasure } = entry;
  const shape = resources.find((one) => one.shape.resource === resource)?.shape;
  if (entry.did === 'past_erased') {
    const past = shape && isLast ? await eraseHistory(store, shape, account, record) : 'missing';
    if (past === 'held' || (past !== 'missing' && past < entry.version)) return false;
    await journal.applied(line);
    return true;
  }
  const request = { resource, account, record, erasure, by: erasure };
  const erase = async () => (shape === undefined ? 'missing' : (await erasing.erase([request]))[0]);
  let outcome = await erase();
  if (outcome === 'has_children' && shape !== undefined) {
    // Its children had been removed when it was erased, so they are removed again.
    await store.remove({ shape, account, unique_identifier: record, cascade: true, by: erasure });
    outcome = await erase();
  }
  if (outcome === 'erased') await journal.applied(line, { erased: named });
  else if (outcome === 'missing') await journal.applied(line, { remembers: entry });
  else return false;
  return true;
}

/**
 * Prepares to erase the records of these lines again: stores their details, sealed, and restarts their erasures, which
 * read every place once the records are gone. Adds erasures that the restored store does not know.
 */
export async function runAgain(store: Store, parts: TracesParts, lines: readonly JournalLine[]) {
  const { erasures } = store;
  const entries = lines.map(entryOf);
  const lifted = new Set(entries.flatMap((one) => (one.did === 'lifted' ? one.record : [])));
  const listed = entries.filter((one) => one.did !== 'lifted');
  for (const [id, some] of Map.groupBy(listed, ({ erasure }) => erasure)) {
    const erased = some.filter((one) => one.did === 'erased');
    const [first] = erased;
    if (first !== undefined) {
      // Without its reference and matches, which only the lost store had.
      const unknown = newErasure(id, first.account, first.erased_at);
      await erasures.add({ ...unknown, status: 'running', by: JOURNAL });
      await parts.change(id, (known) => {
        if (known.status === 'closed') return known;
        const matches = new Map(known.matches.map((match) => [match.record, match]));
        for (const { resource, record } of erased)
          if (!matches.has(record)) matches.set(record, { resource, record, reasons: ['named'] });
        const gone = new Set(erased.map(({ record }) => record));
        const records = [...new Set([...known.records, ...gone])].filter((one) => !lifted.has(one));
        return {
          ...known,
          status: 'running',
          matches: [...matches.values()],
          records,
          left: [],
          past_only: known.past_only.filter((record) => !gone.has(record)),
        };
      });
    }
    const known = await erasures.find(id);
    if (known !== undefined) await sealTraces(store, parts, known, some);
  }
}
