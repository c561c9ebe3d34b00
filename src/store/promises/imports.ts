/** The store's contract for imports: their list, their progress, and the outcome of their rows. */

import type { ChangeMark } from './log.ts';

export type ImportStatus = 'running' | 'finished' | 'undone';

export interface ImportCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
}

/** The position at which an import continues: nothing before it is done again. */
export interface ImportPosition {
  /** The index of the file, in the order in which files are read. */
  readonly file: number;
  /** Rows of the file that are done. */
  readonly rows: number;
  /** Bytes of each file of rejected rows up to here. */
  readonly rejected: readonly number[];
}

export interface ImportState {
  readonly status: ImportStatus;
  readonly files: readonly ImportedFile[];
  readonly accounts: readonly string[];
  /** The last change of each account before the import; `null`: there was none. */
  readonly began: { readonly [account: string]: ChangeMark | null };
  /** Rows per commit, the same until the end: the receipt of a commit is found by its first row. */
  readonly chunk: number;
  readonly position: ImportPosition;
  readonly counts: ImportCounts;
}

export interface ImportedFile {
  readonly name: string;
  readonly resource: string;
  /** The place of its rejected rows. */
  readonly rejected: string;
}

export interface ImportRun extends ImportState {
  readonly unique_identifier: string;
  /** SHA-256 of the files and the options: the same again continues this import. */
  readonly fingerprint: string;
  /** Milliseconds since 1970. */
  readonly inserted_at: number;
  readonly updated_at: number;
}

/** How long rejected rows are stored after the last update of their import. */
export const REJECTED_KEPT_MS = 7 * 86_400_000;

export interface ImportBook {
  /** Creates or replaces an import. */
  put(run: ImportRun): Promise<void>;
  find(unique_identifier: string): Promise<ImportRun | undefined>;
  /** The newest first. */
  list(limit: number): Promise<readonly ImportRun[]>;
  /** The newest with that fingerprint. */
  latest(fingerprint: string): Promise<ImportRun | undefined>;
  /** Stores the rejected rows of an import for a few days. They are not in backups. */
  keepRejected(unique_identifier: string, rows: string): Promise<void>;
  rejected(unique_identifier: string): Promise<string | undefined>;
  /** Removes some rejected rows that were stored long enough; returns whether there may be more. */
  purge(): Promise<boolean>;
}
