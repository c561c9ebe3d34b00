/** A page of records with their expansions, in bounded bytes. */
import type { StoredRecord } from '../../store/promises/store.ts';
import { bytesOf, type Expander } from './expand.ts';
import type { Expansion } from './shown.ts';

/** A record with its expansions. */
export interface Entry {
  readonly record: StoredRecord;
  readonly expansions: readonly Expansion[];
}

/** Records whose expansions are read at once. */
const TOGETHER = 250;

/**
 * Records with their expansions, in order: as many as fit into `most` bytes, counting an expansion each time it
 * appears; at least one. At most some hundred expansions beyond these are read.
 */
export async function entriesUpTo(
  most: number,
  records: readonly StoredRecord[],
  expanderFor: (records: readonly StoredRecord[]) => Promise<Expander>,
): Promise<{ readonly entries: readonly Entry[]; readonly bytes: number }> {
  const entries: Entry[] = [];
  let bytes = 0;
  for (let at = 0; at < records.length; at += TOGETHER) {
    const some = records.slice(at, at + TOGETHER);
    const expansionsOf = await expanderFor(some);
    for (const record of some) {
      const expansions = expansionsOf(record);
      const more = expansions.reduce((sum, one) => sum + one.bytes, bytesOf(record));
      if (bytes + more > most && expansions.length > 0 && entries.length > 0)
        return { entries, bytes };
      bytes += more;
      entries.push({ record, expansions });
    }
  }
  return { entries, bytes };
}
