/** `ledgerstone syncs`: what sources sent in full, what they left out of it, and how to undo that. */
import type { Sync } from '../../../client/src/generated/objects.d.ts';
import { resources } from '../../core/registry.ts';
import { syncOperations } from '../../edge/operations/feeds/syncs.ts';
import { importerOf } from '../../records/auth/principal.ts';
import { createRestoreRemoval } from '../../records/ingest/one/restore-removal.ts';
import { createMayRemove, createRemoving } from '../../services/syncs/removing.ts';
import { createSyncs, type SyncsOf } from '../../services/syncs/syncs.ts';
import type { Store } from '../../store/promises/store.ts';
import { type At, addDerived } from '../derived.ts';
import { allAccounts } from '../found.ts';
import type { Command } from '../help.ts';
import { regionsOf } from '../keys/key-scope.ts';
import { count } from '../output.ts';

export type NamedSource = Awaited<ReturnType<typeof listWithSources>>[number];

const REASONS: Readonly<Record<string, string>> = {
  changed_by_other: 'another source, or a person, changed it last',
  children_of_other: 'it has records of others',
  changed_since: 'it changed after the sync began',
  children_too_many: 'it has too many records to be removed at once',
  pinned: 'staff corrected something of it',
  held: 'it is on hold',
  refused: 'it cannot be removed now',
};

export function addSyncs(program: Command): void {
  addDerived(program, {
    name: 'syncs',
    says: 'See what sources sent in full and what they left out of it; undo its removal',
    operations: syncOperations(resources),
    open: async (store, command) => {
      const services = { syncs: syncsOf(store) };
      const [id] = command.args;
      const found = id && (await store.syncs.find(id, await allAccounts(store)));
      // Done as who began the sync: others may not.
      return found ? { services, caller: importerOf(found.key, [found.account]) } : { services };
    },
    commands: {
      list: {
        says: 'List the syncs of the last 90 days, newest first',
        examples: { '': 'See which ended, and what they removed' },
        none: 'There are no syncs in the last 90 days.',
        runs: (at) => listWithSources(at, 'list_syncs'),
        columns: [
          'unique_identifier',
          ['BEGAN', 'inserted_at'],
          'status',
          ['SOURCE', (one: NamedSource) => one.source_name ?? one.source],
          'resource',
          ['PLACE', (one: Sync) => one.location ?? one.account],
          ['REMOVED', removedBy],
          ['LEFT', 'left_count'],
        ],
      },
      'show <id>': { says: 'Show a sync: what it removed, and what it left and why' },
      'finish <id>': {
        says: 'Remove what the source of a sync made at its place and did not send',
        examples: {
          'syn_… --dry-run': 'See what would be removed',
          'syn_… --at-most 20%': 'Remove more than the sync allowed for',
        },
        runs: (at) => whole(at, 'finish_sync', 'finishing'),
        prints: (sync, _, { options }) => linesOfSync(sync, options.dryRun === true),
      },
      'undo <id>': {
        says: 'Restore what a sync removed, for 30 days after it began',
        examples: { 'syn_…': 'Restore what it removed' },
        runs: (at) => whole(at, 'undo_sync', 'undoing'),
        prints: ({ restored }) => `${count(restored ?? 0, 'record')} restored.`,
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

/** The records that a sync removed or would remove, and those that it left. */
export function linesOfSync(sync: Sync, dry_run: boolean): readonly string[] {
  const { removed, records, left, left_count, repeated } = sync;
  const by = Object.entries(removed).map(([name, number]) => `${name}: ${number}`);
  const what = by.length === 0 ? '' : ` (${by.join(', ')})`;
  const says = `${count(removedBy(sync), 'record')}${what}`;
  const unnamed = left_count - left.length;
  return [
    dry_run ? `Would remove ${says}.` : `Removed ${says}.`,
    ...(dry_run ? records : []).map(
      (one) => `${one.resource} ${one.record}: ${one.external_identifier ?? 'removed for good'}`,
    ),
    ...(repeated === 0
      ? []
      : [`${count(repeated, 'row')} named a record that an earlier row named.`]),
    ...(left_count === 0 ? [] : [`${count(left_count, 'record')} that were not sent stay:`]),
    ...left.map((one) => `${one.resource} ${one.record}: ${REASONS[one.reason] ?? one.reason}`),
    ...(unnamed > 0 ? [`and ${unnamed.toLocaleString('en-US')} more`] : []),
  ];
}

export function syncsOf(store: Store): SyncsOf {
  const restoreRemoval = createRestoreRemoval(store, resources);
  const mayRemove = createMayRemove(store, regionsOf(store));
  const parts = { store, resources, restoreRemoval, mayRemove, now: Date.now };
  return createSyncs({ ...parts, removing: createRemoving(parts), by: 'operator' });
}

function removedBy({ removed }: Sync): number {
  return Object.values(removed).reduce((sum, number) => sum + number, 0);
}

/** Calls the operation, and adds the names of sources to its list. */
export async function listWithSources({ store, every }: At, operation: string) {
  const sources = await store.sources.list(await allAccounts(store));
  const names = new Map(sources.map((one) => [one.unique_identifier, one.name]));
  const found = await every<{ readonly source: string }>(operation);
  return found.map((one) => ({ ...one, source_name: names.get(one.source) ?? null }));
}
