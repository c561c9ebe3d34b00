/** Data of a moment, and records that are newer. */
import type { Dated, Draft } from '../promises/records.ts';
import type { StoredRecord } from '../promises/stored.ts';
import { contentOf } from './content.ts';

type Changed = Pick<StoredRecord, 'position' | 'updated_at' | 'changed_by'>;

/** Whether a source of the data has changed a record after it was taken. */
export function isNewer(record: Changed, { at, began, position, sources }: Dated): boolean {
  const { changed_by, updated_at } = record;
  if (changed_by === null || !sources.includes(changed_by)) return false;
  // By the order of commits, which no clock changes, as far as that is known.
  return record.position > position || (updated_at > at && updated_at <= began);
}

/** Whether a draft of older data leaves a record as it is, though it has other values. */
export function staysNewer(
  record: StoredRecord,
  draft: Pick<Draft, 'shape' | 'patch'>,
  dated: Dated | undefined,
): boolean {
  if (dated === undefined || !isNewer(record, dated)) return false;
  const content = contentOf(draft, record.document);
  return 'faults' in content || content.document !== record.document;
}
