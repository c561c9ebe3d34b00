/** The store's contract for the audit: entries are added and, when all of a chain is old, removed; nothing changes one. */
import type { AuditEntry } from '../../../core/objects/requests/audit-entry.ts';
import type { DoneQuery } from '../requests.ts';

export type {
  AuditAction,
  AuditEntry,
  AuditFacts,
  AuditHead,
} from '../../../core/objects/requests/audit-entry.ts';

/** The filters of a list; `seenBy` shows entries of no account where all accounts of the caller are among these. */
export interface AuditQuery extends Omit<DoneQuery, 'key'> {
  readonly by?: string | undefined;
  readonly record?: string | undefined;
  readonly action?: string | undefined;
  /** Only entries after this one in the list, which is the newest first. */
  readonly after?: Pick<AuditEntry, 'time' | 'unique_identifier'> | undefined;
}

/** Records of an account, of which somebody may have a copy. */
export interface CopiedRecords {
  readonly account: string;
  readonly records: readonly string[];
  readonly resources: readonly string[];
  /** The locations that they belong to. */
  readonly places: readonly string[];
  /** Since when there have been some of them: milliseconds since 1970. */
  readonly since: number;
}

/** A person or an API key that opened one of the records, or exported, printed or read records like them. */
export interface Copier {
  readonly by: string;
  readonly how: 'opened' | 'exported';
  /** When it did so last. */
  readonly at: number;
  /** The subject of the export or print, if it is not the resource. */
  readonly what: string | null;
}

/** The day of a time in UTC: the names of chains begin with it. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
