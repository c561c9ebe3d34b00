/** What a commit changes of one record. */
import type { RecordShape } from '../schema/shape.ts';
import type { StoredRecord } from './store.ts';

export interface Change {
  readonly outcome: 'created' | 'updated';
  readonly shape: RecordShape;
  /** As it was; `undefined` where it is made. */
  readonly before: StoredRecord | undefined;
  /** As it is left. */
  readonly record: StoredRecord;
  /** What the columns of its declared keys hold then. */
  readonly keys: readonly string[];
}
