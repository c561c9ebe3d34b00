/** A change of a record, and its entry in the log of changes. */
import { stringify } from '../../core/schema/json/json.ts';
import { patchTo } from '../../core/schema/merge/difference.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { LogEntry, Restoration } from '../promises/log.ts';
import type { StoredRecord } from '../promises/records.ts';
import { parseDocument } from './records.ts';

/** A record that a commit creates or updates. */
export interface Change {
  readonly outcome: 'created' | 'updated';
  readonly shape: RecordShape;
  /** The record before; `undefined` if it is created. */
  readonly before: StoredRecord | undefined;
  /** The record after. */
  readonly record: StoredRecord;
  /** The columns of its declared keys afterwards. */
  readonly keys: readonly string[];
  /** The key or the person that changes it. */
  readonly by: string | undefined;
  readonly restores: Restoration | undefined;
  /** Whether a source proposes another value for a member that staff corrected. */
  readonly proposes: boolean;
}

/** Returns the entry in the log; `keeps` says whether the log stores content. */
export function entryOf(
  { outcome, shape, before, record, by, restores, proposes }: Change,
  keeps: boolean,
): LogEntry {
  return {
    resource: shape.resource,
    record: record.unique_identifier,
    anchor: record.anchor,
    outcome: restores === undefined ? (proposes ? 'proposed' : outcome) : 'restored',
    version: record.version,
    before: before?.position ?? restores?.gone?.position ?? 0,
    by,
    content: keeps && before !== undefined ? backwards(record.document, before.document) : null,
  };
}

/** Returns the merge patch (RFC 7396) that turns a document into the one before it. Both are JSON texts. */
export function backwards(after: string, before: string): string {
  return stringify(patchTo(parseDocument(before), parseDocument(after)));
}
