/** `ledgerstone removals`: lists removals and restores them. */
import type { Removal, RestoredRemoval } from '../../../client/src/generated/objects.d.ts';
import { resources } from '../../core/registry.ts';
import { removalOperations } from '../../edge/operations/removals.ts';
import { createRemovals } from '../../records/changes/removals.ts';
import { createRestoreRemoval } from '../../records/ingest/one/restore-removal.ts';
import { addDerived } from '../derived.ts';
import type { Command } from '../help.ts';

export function addRemovals(program: Command): void {
  addDerived(program, {
    name: 'removals',
    says: 'See what was removed, and restore it',
    operations: removalOperations(resources),
    open: (store) => ({
      services: {
        removals: createRemovals(store, resources),
        restoreRemoval: createRestoreRemoval(store, resources),
      },
    }),
    commands: {
      list: {
        says: 'List what was removed from an account and can be restored, newest first',
        flags: { q: '--search <words>' },
        most: 50,
        examples: {
          '--account acct_…': 'See what was removed',
          '--account acct_… --search thornbury': 'Find a family',
        },
        none: 'There are no removals that can be restored.',
        columns: [
          'unique_identifier',
          ['REMOVED', 'removed_at'],
          'resource',
          ['RECORDS', 'count'],
          ['BY', (one: Removal) => one.key ?? 'operator'],
          ['NAME', (one: Removal) => one.name ?? one.external_identifier],
        ],
      },
      'show <id>': { says: 'Show a removal, while it can be restored' },
      'restore <id>': {
        says: 'Restore the record that was removed and everything that went with it. A record whose identifiers another one has by now stays removed and is named; the exit status is then 2',
        examples: { 'rem_… --dry-run': 'See what would come back' },
        prints: ({ restored, left, left_count }: RestoredRemoval, _, { options }) => {
          if (left_count > 0) process.exitCode = 2;
          const says = `${restored} restored, ${left_count} left removed.`;
          const unnamed = left_count - left.length;
          return [
            options.dryRun === true ? `Dry run: ${says} Nothing was written.` : says,
            ...left.map((one) => `${one.resource} ${one.record}: ${one.message}`),
            ...(unnamed > 0 ? [`and ${unnamed} more`] : []),
          ];
        },
      },
    },
  });
}
