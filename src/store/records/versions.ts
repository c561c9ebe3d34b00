/** The content of a record, version by version, from what it has now and the log of changes. */
import { mergePatch } from '../../core/schema/merge/merge.ts';
import { withPinsFirst } from '../../core/schema/pins.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { LoggedChange, Tombstone } from '../promises/log.ts';
import type { StoredRecord } from '../promises/records.ts';
import { parseDocument } from './records.ts';

/** A document; `gone` if the record did not exist; `unknown` if the log stores no content of it. */
export type DocumentVersion = JsonObject | 'gone' | 'unknown';

/** A version of an existing or removed record. */
export interface RecordAt {
  readonly document: JsonObject;
  /** When that version was written. */
  readonly updated_at: number;
  readonly anchor: string | null;
  /** The record as it is, or as it was removed: `version` is then that of the removal. */
  readonly now: StoredRecord | (Tombstone & { readonly version: number });
}

export interface VersionStep {
  readonly change: LoggedChange;
  readonly before: DocumentVersion;
  readonly after: DocumentVersion;
}

/** Yields versions. `changes` are those of a record, newest first; `now` is its content since. */
export function* versions(changes: Iterable<LoggedChange>, now: DocumentVersion) {
  let after = now;
  for (const change of changes) {
    const before = documentBefore(change, after);
    yield { change, before, after };
    after = before;
  }
}

function documentBefore(
  { outcome, content }: LoggedChange,
  after: DocumentVersion,
): DocumentVersion {
  if (outcome === 'created') return 'gone';
  if (outcome === 'erased') return after;
  // A record restored after its removal replaces nothing, so its change has no content.
  if (content === null) return outcome === 'restored' ? 'gone' : 'unknown';
  const stated = parseDocument(content);
  if (outcome === 'deleted') return stated;
  return typeof after === 'string' ? 'unknown' : withPinsFirst(mergePatch(after, stated));
}
