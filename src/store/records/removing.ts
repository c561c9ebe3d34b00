/** Judges whether a record may be removed: the one place for it, used by both stores. */
import type { ApiError } from '../../core/errors.ts';
import {
  MAX_REMOVED,
  type Refused,
  type Removal,
  type Removed,
  type StoredRecord,
} from '../promises/records.ts';
import {
  hasChildren,
  recordChanged,
  recordHeld,
  recordMissing,
  tooManyChildren,
} from '../promises/refusals.ts';
import { isFrom } from './records.ts';

/** The findings while the account was locked for other writers. */
export interface Removing {
  /** How many records are below it; without `cascade` one stands for all, and of too many no more than one too many. */
  readonly below: number;
  /** The hold or the rule that preserves the record or one below it. */
  readonly kept: string | undefined;
  /** Whether a record below it is from a source other than those to be removed. */
  readonly others: boolean;
}

export function judgeRemoval(
  { shape, versions, cascade, sources }: Removal,
  record: StoredRecord | undefined,
  look: (record: StoredRecord) => Removing,
): Removed | Refused {
  const refuse = (error: ApiError): Refused => ({ outcome: 'refused', error });
  if (record === undefined) return refuse(recordMissing(shape));
  const { version } = record;
  if (versions?.includes(version) === false) return refuse(recordChanged(shape, version));
  if (!isFrom(record, sources)) return refuse(recordChanged(shape, version));
  const { below, kept, others } = look(record);
  if (kept !== undefined) return refuse(recordHeld(kept));
  if (below > 0 && !cascade) return refuse(hasChildren(shape));
  if (below > MAX_REMOVED) return refuse(tooManyChildren(shape));
  if (others) return refuse(hasChildren(shape));
  return { outcome: 'deleted', record, below };
}
