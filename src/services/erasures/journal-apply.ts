/** Applies a line of the journal to a restored store. */
import { erasure as declared, type StoredErasure } from '../../core/objects/records/erasure.ts';
import { UNPROVED } from '../../core/objects/records/erasure-proof.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { ErasedTombstone, JournalLine } from '../../store/books/erasing/journal.ts';
import { DUE_MS } from '../../store/promises/erasing/book.ts';
import type { Store } from '../../store/promises/store.ts';
import { entryOf } from './journal-lines.ts';
import { erasePast } from './past.ts';
import { keepTraces, type TracesParts } from './proof/proof.ts';

/** The `by` of an erasure that only the journal knows. */
const JOURNAL = 'journal';

/**
 * Applies a line; `isLast` if no later line has its subject. Returns whether it is done: a held record waits for the
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
  if (!isLast) {
    await journal.applied(line, { erased: named });
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
export async function runAgain(
  store: Store,
  parts: TracesParts,
  lines: readonly JournalLine[],
): Promise<void> {
  const { erasures } = store;
  const entries = lines.map(entryOf);
  const lifted = new Set(entries.flatMap((one) => (one.did === 'lifted' ? one.record : [])));
  const told = entries.filter((one) => one.did !== 'lifted');
  for (const [id, some] of Map.groupBy(told, ({ erasure }) => erasure)) {
    const erased = some.filter((one) => one.did === 'erased');
    const [first] = erased;
    if (first !== undefined) {
      await erasures.add(unknownBefore(first));
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
    if (known !== undefined) await keepTraces(store, parts, known, some);
  }
}

/** Creates an erasure from its line, without the reference and the matches, which only the lost store had. */
function unknownBefore({ erasure, account, erased_at }: ErasedTombstone): StoredErasure {
  return {
    ...declared.nulls,
    unique_identifier: erasure,
    account,
    status: 'running',
    received_at: erased_at,
    due_at: erased_at + DUE_MS,
    inserted_at: erased_at,
    updated_at: erased_at,
    matches: [],
    records: [],
    past_only: [],
    left: [],
    refused_rows: 0,
    named_in: [],
    looked: 'everywhere',
    by: JOURNAL,
    revision: 0,
    ...UNPROVED,
  };
}
