/** The store's contract for the audit: entries are added and, when all of a chain is old, removed; nothing changes one. */
import type { AuditEntry, AuditHead } from '../../../core/objects/requests/audit-entry.ts';

export type {
  AuditAction,
  AuditEntry,
  AuditFacts,
  AuditHead,
} from '../../../core/objects/requests/audit-entry.ts';

/** The filters of a list; times are milliseconds since 1970. */
export interface AuditQuery {
  /** Only entries of these accounts, and those of no account by callers whose accounts are all among them; left out: all. */
  readonly seenBy?: ReadonlySet<string> | undefined;
  readonly account?: string | undefined;
  readonly by?: string | undefined;
  readonly record?: string | undefined;
  readonly action?: string | undefined;
  /** From this time on. */
  readonly from?: number | undefined;
  /** Before this time. */
  readonly to?: number | undefined;
  /** Only entries after this one in the list, which is the newest first. */
  readonly after?: Pick<AuditEntry, 'time' | 'unique_identifier'> | undefined;
  readonly limit: number;
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
  /** What was exported or printed, if that is said in other words than by the resource. */
  readonly what: string | null;
}

export interface AuditBook {
  /** The latest first, as far as it is known: of exports and of what keys read, the latest 10,000 entries are looked at. */
  copiers(records: CopiedRecords): Promise<readonly Copier[]>;
  /** Adds entries of a chain in one commit, none where the number of the first is taken. Returns how many were added. */
  append(entries: readonly AuditEntry[]): Promise<number>;
  /** The newest first. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;
  find(unique_identifier: string): Promise<AuditEntry | undefined>;
  /** By chain and number, after that one. */
  walk(after: Pick<AuditEntry, 'chain' | 'number'>, limit: number): Promise<readonly AuditEntry[]>;
  /** The last entry of that chain. */
  head(chain: string): Promise<AuditHead | undefined>;
  /** The last entry of each chain, by chain; of those that began on the day of that time or later. */
  heads(since?: number): Promise<readonly AuditHead[]>;
  /** The last hour until that time of which there are entries of what keys read. */
  lastReads(until: number): Promise<number | undefined>;
  /**
   * Removes some entries of a chain that began before that time, the last ones first, so that what is left of it is
   * whole. Returns whether there may be more.
   */
  purge(before: number): Promise<boolean>;
}

/** The day of a time in UTC: the names of chains begin with it. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
