/** The store's contract for imports: their list, their progress, and the outcome of their rows. */

import type { ChangeMark } from './log.ts';

export type ImportStatus = 'running' | 'finished' | 'undone';

export interface ImportCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
}

/** Where an import goes on: nothing before it is done again. */
export interface ImportPosition {
  /** Of the files, in the order in which they are read. */
  readonly file: number;
  /** Rows of it that are done. */
  readonly rows: number;
  /** Bytes of each file of rejected rows that are of these. */
  readonly rejected: readonly number[];
}

export interface ImportState {
  readonly status: ImportStatus;
  readonly files: readonly ImportedFile[];
  readonly accounts: readonly string[];
  /** The last change of each account before the first row; `null`: there was none. */
  readonly began: { readonly [account: string]: ChangeMark | null };
  /** Rows of one commit, until its end: what was done of each commit is found again by its first row. */
  readonly chunk: number;
  readonly position: ImportPosition;
  readonly counts: ImportCounts;
}

export interface ImportedFile {
  readonly name: string;
  readonly resource: string;
  /** Where its rejected rows are. */
  readonly rejected: string;
}

export interface ImportRun extends ImportState {
  readonly unique_identifier: string;
  /** SHA-256 of what is imported, and how: the same again goes on with the same import. */
  readonly fingerprint: string;
  /** Milliseconds since 1970. */
  readonly inserted_at: number;
  readonly updated_at: number;
}

/** How long rejected rows are stored after the last word of their import. */
export const REJECTED_KEPT_MS = 7 * 86_400_000;

export interface ImportBook {
  /** Creates or replaces an import. */
  put(run: ImportRun): Promise<void>;
  find(unique_identifier: string): Promise<ImportRun | undefined>;
  /** The newest first. */
  list(limit: number): Promise<readonly ImportRun[]>;
  /** The newest with that fingerprint. */
  latest(fingerprint: string): Promise<ImportRun | undefined>;
  /** Keeps the rejected rows of an import, for a few days and in no backup: what is imported is not what is stored. */
  keepRejected(unique_identifier: string, rows: string): Promise<void>;
  rejected(unique_identifier: string): Promise<string | undefined>;
  /** Removes some rejected rows that were stored long enough; returns whether there may be more. */
  purge(): Promise<boolean>;
}
