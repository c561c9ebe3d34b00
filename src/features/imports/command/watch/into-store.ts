/** Imports the files of a watched folder into a store, which is opened for each. */
import { existsSync } from 'node:fs';
import type { Command } from '../../../../cli/help.ts';
import { linesOfSync } from '../../../../cli/sources/lines.ts';
import { withStore } from '../../../../cli/store.ts';
import { type Store, StoreUnavailable } from '../../../../store/promises/store.ts';
import type { ImportRun } from '../../declares/import-run.ts';
import { cameAgain, refusedWhole } from '../../serves/activity/arrivals.ts';
import type { ImportFlags } from '../asked.ts';
import { importInto, likeOf, openAccounts } from '../import-store.ts';
import { SyncGone } from '../import-sync.ts';
import { faultOf, inWords } from './faults.ts';
import type { Brought, Importer } from './file.ts';

/** Throws a `Mistake` where the options are wrong whatever comes; a store that is away is waited for. */
export async function importerInto(flags: ImportFlags, command: Command): Promise<Importer> {
  const within = <T>(work: (store: Store) => Promise<T>) => withStore(command, {}, work);
  await within(async (store) => {
    await openAccounts(store, flags);
    if (flags.like !== undefined) await likeOf(store, flags.like);
  }).catch((error: unknown) => {
    if (!(error instanceof StoreUnavailable)) throw error;
  });
  return {
    inWords,
    import: ({ path, name, rejected, earlier, begun }) =>
      within(async (store): Promise<Brought | undefined> => {
        const isBegun = (run: ImportRun) => begun(run.unique_identifier);
        const watching = { earlier, begun: isBegun };
        const own = { ...flags, called: name, rejected };
        try {
          const done = await importInto(store, command, [path], own, watching).catch((error) => {
            if (!(error instanceof SyncGone)) throw error;
            // It was stopped for longer than a sync waits: everything is sent anew.
            return importInto(store, command, [path], { ...own, fromStart: true }, watching);
          });
          const { run, stopped, syncs, refusal } = done;
          if (stopped === 'interrupted') return undefined;
          const tooMany = 'It was stopped, since more rows than --max-failed were refused.';
          const why = stopped === 'too_many_failed' ? tooMany : refusal?.message;
          const [file] = run.files;
          const isBeside = file !== undefined && existsSync(file.rejected);
          return {
            import: run.unique_identifier,
            resource: file?.resource,
            counts: run.counts,
            why,
            says: [
              ...syncs.flatMap((sync) => linesOfSync(sync, false)),
              ...(isBeside ? ['The refused rows are beside it.'] : []),
            ],
          };
        } catch (error) {
          const why = faultOf(error)?.replaceAll(path, name);
          if (why === undefined) throw error;
          const [account] = await openAccounts(store, flags);
          if (account && flags.source) await refusedWhole(store, account, flags.source);
          return { import: undefined, resource: undefined, why };
        }
      }),
    again: ({ import: id }) =>
      within(async (store) => {
        const run = await store.imports.find(id);
        if (run !== undefined) await cameAgain(store, run);
      }),
  };
}
