/** Undoing imports, which goes on after the process that began it was killed. */
import type { Resource } from '../../core/schema/define.ts';
import type { ImportRun } from '../../store/promises/imports.ts';
import type { Store } from '../../store/promises/store.ts';
import { Resuming, type Unfinished } from '../resuming.ts';
import type { UndoOptions, UndoResult } from './undo.ts';

export type UndoingImports = Resuming<UndoWork, UndoResult>;

interface UndoWork extends Unfinished, Pick<UndoOptions, 'still'> {
  readonly run: ImportRun;
}

export function createUndoing(store: Store, resources: readonly Resource[]): UndoingImports {
  return new Resuming<UndoWork, UndoResult>({
    unfinished: async () =>
      (await store.imports.undoing()).map((run) => ({ ...undoOf(run), step: run.updated_at })),
    // The command line undoes, too.
    isShared: true,
    async work({ run, still }, isClosed) {
      const { undoImport } = await import('./undo.ts');
      return undoImport(store, run, { resources, dry_run: false, still, isClosed });
    },
  });
}

/** Imports of several accounts share the slots of the first. */
export function undoOf(run: ImportRun): UndoWork {
  const { unique_identifier, accounts } = run;
  return { unique_identifier, account: accounts[0] ?? '', run };
}
