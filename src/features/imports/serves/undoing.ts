/** Undoes imports as jobs. */

import type { Resource } from '../../../core/schema/define.ts';
import { type JobSubject, Jobs } from '../../../services/jobs.ts';
import type { Store } from '../../../store/promises/store.ts';
import type { ImportRun } from '../declares/import-run.ts';
import type { UndoOptions, UndoResult } from './undo.ts';

export type UndoingImports = Jobs<UndoWork, UndoResult>;

interface UndoWork extends JobSubject, Pick<UndoOptions, 'still'> {
  readonly run: ImportRun;
}

export function createUndoing(store: Store, resources: readonly Resource[]): UndoingImports {
  return new Jobs<UndoWork, UndoResult>({
    kind: 'import_undo',
    book: store.jobs,
    slots: 2,
    due: async () => (await store.imports.undoing()).map(undoOf),
    async *work({ run, still }) {
      const { undoImport } = await import('./undo.ts');
      return yield* undoImport(store, run, { resources, dry_run: false, still });
    },
  });
}

/** Imports of several accounts share the slots of the first. */
export function undoOf(run: ImportRun): UndoWork {
  const { unique_identifier, accounts } = run;
  return { unique_identifier, account: accounts[0] ?? '', run };
}
