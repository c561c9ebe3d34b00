/** The store's contract for imports: their list, their progress, and the outcome of their rows. */

import type { ImportRun } from '../../core/objects/transfer/import-run.ts';

export type {
  ImportCounts,
  ImportPosition,
  ImportRun,
} from '../../core/objects/transfer/import-run.ts';

/** How long rejected rows are stored after the last update of their import. */
export const REJECTED_KEPT_MS = 7 * 86_400_000;

export interface ImportBook {
  /** Creates or replaces an import. */
  put(run: ImportRun): Promise<void>;
  find(unique_identifier: string): Promise<ImportRun | undefined>;
  /** The newest first, before that one. */
  list(limit: number, before?: string): Promise<readonly ImportRun[]>;
  /** The unique identifiers of all imports into an account whose rejected rows are still stored. */
  withRejected(account: string): Promise<readonly string[]>;
  /** The newest with that fingerprint. */
  latest(fingerprint: string): Promise<ImportRun | undefined>;
  /** Those that are being undone. */
  undoing(): Promise<readonly ImportRun[]>;
  /** Stores the rejected rows of an import for a few days. They are not in backups. */
  keepRejected(unique_identifier: string, rows: string): Promise<void>;
  rejected(unique_identifier: string): Promise<string | undefined>;
  /** Stores what is left of these; the rest leaves the store's files, too. `false`: there are others by now. */
  cutRejected(unique_identifier: string, rows: string, kept: string): Promise<boolean>;
  /** Removes some rejected rows that were stored long enough; returns whether there may be more. */
  purge(): Promise<boolean>;
}
