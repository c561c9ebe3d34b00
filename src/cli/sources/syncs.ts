/** `ledgerstone syncs`: what sources sent in full, what they left out of it, and how to undo that. */
import type { Sync } from '../../../client/src/generated/objects.d.ts';
import { resources } from '../../core/registry.ts';
import { syncOperations } from '../../edge/operations/feeds/syncs.ts';
import { importerOf, operatorOf } from '../../records/auth/principal.ts';
import { addWhole } from '../derived/whole.ts';
import type { At } from '../derived.ts';
import { allAccounts } from '../found.ts';
import type { Command } from '../help.ts';
import { linesOfSync, linesOfUndone } from './lines.ts';

export function addSyncs(program: Command): void {
  addWhole(program, {
    name: 'syncs',
    says: 'See what sources sent in full and what they left out of it; undo its removal',
    operations: syncOperations(resources),
    takes: ['syncs'],
    callerOf: async (store, { args: [id] }, accounts) => {
      const found = id && (await store.syncs.find(id, await allAccounts(store)));
      // Done as who began the sync: others may not.
      return found ? importerOf(found.key, [found.account]) : operatorOf(await accounts());
    },
    but: {
      finish: {
        examples: {
          'syn_… --dry-run': 'See what would be removed',
          'syn_… --at-most 20%': 'Remove more than the sync allowed for',
        },
        runs: (at) => whole(at, 'finish_sync', 'finishing'),
        prints: (sync, _, { options }) => linesOfSync(sync, options.dryRun === true),
      },
      undo: {
        runs: (at) => whole(at, 'undo_sync', 'undoing'),
        prints: linesOfUndone,
      },
    },
  });
}

/** Goes on until it is done; each call waits for some seconds. */
async function whole({ call }: At, name: string, status: Sync['status']): Promise<Sync> {
  for (;;) {
    const done = await call<Sync>(name);
    if (done.status !== status) return done;
  }
}
