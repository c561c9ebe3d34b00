/** What commits change, and what the log of changes keeps of it. */
import { equalJson, stringify } from '../schema/json/json.ts';
import type { RecordShape } from '../schema/shape.ts';
import { isObject, type JsonObject, setMember } from '../schema/values.ts';
import type { LogEntry } from './log.ts';
import { parseDocument } from './records.ts';
import type { StoredRecord } from './store.ts';

/** What a commit makes or changes of one record. */
export interface Change {
  readonly outcome: 'created' | 'updated';
  readonly shape: RecordShape;
  /** As it was; `undefined` where it is made. */
  readonly before: StoredRecord | undefined;
  /** As it is left. */
  readonly record: StoredRecord;
  /** What the columns of its declared keys hold then. */
  readonly keys: readonly string[];
  /** Who changes it. */
  readonly by: string | undefined;
}

/** `keeps` says whether the log keeps content. */
export function entryOf({ outcome, shape, before, record, by }: Change, keeps: boolean): LogEntry {
  return {
    resource: shape.resource,
    record: record.unique_identifier,
    anchor: record.anchor,
    outcome,
    version: record.version,
    before: before?.position ?? 0,
    by,
    content: keeps && before !== undefined ? backwards(record.document, before.document) : null,
  };
}

/** The merge patch that makes of a document, merged by RFC 7396, the one before it. Both are JSON texts. */
export function backwards(after: string, before: string): string {
  return stringify(patchTo(parseDocument(before), parseDocument(after)));
}

/** Exact, since no member of a document is `null`. */
function patchTo(wanted: JsonObject, from: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const name of Object.keys(from)) {
    if (!Object.hasOwn(wanted, name)) setMember(patch, name, null);
  }
  for (const [name, value] of Object.entries(wanted)) {
    const there = Object.hasOwn(from, name) ? from[name] : undefined;
    if (there !== undefined && equalJson(value, there)) continue;
    setMember(patch, name, isObject(value) && isObject(there) ? patchTo(value, there) : value);
  }
  return patch;
}
