/** The store's contract for imports: their list, their progress, and the outcome of their rows. */

export type {
  ImportCounts,
  ImportPosition,
  ImportRun,
} from '../../core/objects/transfer/import-run.ts';

/** How long rejected rows are stored after the last update of their import. */
export const REJECTED_KEPT_MS = 7 * 86_400_000;
