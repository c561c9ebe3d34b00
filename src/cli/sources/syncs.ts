/** `ledgerstone syncs`: what sources sent in full, what they left out of it, and how to undo that. */
import type { Sync } from '../../../client/src/generated/objects.d.ts';
import { resources } from '../../core/registry.ts';
import { syncOperations } from '../../edge/operations/feeds/syncs.ts';
import { importerOf, stewardOf } from '../../records/auth/operator.ts';
import { createRegions } from '../../records/auth/region.ts';
import { createRestoreRemoval } from '../../records/ingest/one/restore-removal.ts';
import { createMayRemove } from '../../services/syncs/may-remove.ts';
import { createRemoving } from '../../services/syncs/removing.ts';
import { createSyncs, type SyncsOf } from '../../services/syncs/syncs.ts';
import type { Store } from '../../store/promises/store.ts';
import type { CommandAudit } from '../audit/record-command.ts';
import { allAccounts } from '../found.ts';
import type { Command } from '../help.ts';
import { accountsCalled } from '../keys/key-scope.ts';
import { Mistake } from '../mistake.ts';
import { addMembers, namedOperations, type Sent } from '../operation.ts';
import { count, print, printJson, table } from '../output.ts';
import { withStore } from '../store.ts';
import { namesOf } from './expectations.ts';

interface Options {
  readonly account?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

const HEADINGS = ['SYNC', 'BEGAN', 'STATUS', 'SOURCE', 'RESOURCE', 'PLACE', 'REMOVED', 'LEFT'];
const { named, call } = namedOperations(syncOperations(resources));
const FINISH = { at_most: '--at-most <share>' };
const LISTED = 1000;
const NONE = 'There are no syncs in the last 90 days.';
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
  const syncs = program
    .command('syncs')
    .description('See what sources sent in full and what they left out of it; undo its removal');
  syncs
    .command('list')
    .description('List the syncs of the last 90 days, newest first')
    .option('--account <id>', 'Only those of this account, by identifier or name')
    .option('--json', 'Print a JSON array, as in the API')
    .examples(['ledgerstone syncs list', 'See which ended, and what they removed'])
    .action(async ({ account, json }: Options, command: Command) => {
      const { data, names } = await withStore(command, { records: true }, async (store, audit) => {
        const all = account === undefined ? [] : await store.accounts.list();
        const [of] = accountsCalled(store, all, account === undefined ? [] : [account]);
        const caller = stewardOf(of ? [of.unique_identifier] : await allAccounts(store));
        const desk = { services: { syncs: syncsOf(store) }, caller, audit };
        const sent = { members: { limit: LISTED } };
        const { data } = await call<{ readonly data: readonly Sync[] }>(desk, 'list_syncs', sent);
        return { data, names: await namesOf(store) };
      });
      const rows = data.map((one) => [
        ...[one.unique_identifier, one.inserted_at, one.status],
        ...[names.get(one.source) ?? one.source, one.resource, one.location ?? one.account],
        ...[String(removedBy(one)), String(one.left_count)],
      ]);
      print(json, data, ...(rows.length === 0 ? [NONE] : table(HEADINGS, rows)));
    });
  syncs
    .command('show')
    .description('Print a sync as one JSON document: what it removed, and what it left and why')
    .argument('<id>', 'Its identifier, syn_…')
    .examples(['ledgerstone syncs show syn_…', 'See all about one sync'])
    .action(async (id: string, _options: unknown, command: Command) => {
      printJson(await work(command, id, 'retrieve_sync'));
    });
  addMembers(
    syncs
      .command('finish <id>')
      .option('--dry-run', 'Show what would be removed, and remove nothing'),
    named('finish_sync'),
    FINISH,
  )
    .description('Remove what the source of a sync made at its place and did not send')
    .option('--json', 'Print the sync as one JSON document')
    .examples(
      ['ledgerstone syncs finish syn_… --dry-run', 'See what would be removed'],
      ['ledgerstone syncs finish syn_… --at-most 20%', 'Remove more than the sync allowed for'],
    )
    .action(async (id: string, options: Options, command: Command) => {
      const dry_run = options.dryRun === true;
      const sent = { members: { dry_run }, flags: FINISH, options };
      const done = await work(command, id, 'finish_sync', sent);
      print(options.json, done, ...linesOfSync(done, dry_run));
    });
  syncs
    .command('undo')
    .description('Restore what a sync removed, for 30 days after it began')
    .argument('<id>', 'Its identifier, syn_…')
    .option('--json', 'Print the sync as one JSON document')
    .examples(['ledgerstone syncs undo syn_…', 'Restore what it removed'])
    .action(async (id: string, { json }: Options, command: Command) => {
      const undone = await work(command, id, 'undo_sync');
      print(json, undone, `${count(undone.restored ?? 0, 'record')} restored.`);
    });
}

/** What a sync removed or would, and what it left. */
export function linesOfSync(sync: Sync, dry_run: boolean): readonly string[] {
  const { removed, records, left, left_count } = sync;
  const by = Object.entries(removed).map(([name, number]) => `${name}: ${number}`);
  const what = by.length === 0 ? '' : ` (${by.join(', ')})`;
  const says = `${count(removedBy(sync), 'record')}${what}`;
  const unnamed = left_count - left.length;
  return [
    dry_run ? `Would remove ${says}.` : `Removed ${says}.`,
    ...(dry_run ? records : []).map(
      (one) => `${one.resource} ${one.record}: ${one.external_identifier ?? 'removed for good'}`,
    ),
    ...(left_count === 0 ? [] : [`${count(left_count, 'record')} that were not sent stay:`]),
    ...left.map((one) => `${one.resource} ${one.record}: ${REASONS[one.reason] ?? one.reason}`),
    ...(unnamed > 0 ? [`and ${unnamed.toLocaleString('en-US')} more`] : []),
  ];
}

export function syncsOf(store: Store): SyncsOf {
  const restoreRemoval = createRestoreRemoval(store, resources);
  const mayRemove = createMayRemove(store, createRegions(store, resources, Date.now));
  const parts = { store, resources, restoreRemoval, mayRemove, now: Date.now };
  return createSyncs({ ...parts, removing: createRemoving(parts), by: 'operator' });
}

function work(command: Command, id: string, operation: string, sent: Sent = {}): Promise<Sync> {
  return withStore(command, { records: true }, (store, audit) =>
    asOf({ store, audit }, id, operation, sent),
  );
}

/** Does it as who began the sync: others may not. */
async function asOf(
  { store, audit }: { readonly store: Store; readonly audit: CommandAudit },
  id: string,
  operation: string,
  sent: Sent = {},
): Promise<Sync> {
  const found = await store.syncs.find(id, await allAccounts(store));
  if (found === undefined) {
    throw new Mistake(
      `There is no sync ${JSON.stringify(id)} in ${store.place}: "ledgerstone syncs list" shows those that exist.`,
    );
  }
  const caller = importerOf(found.key, [found.account]);
  const desk = { services: { syncs: syncsOf(store) }, caller };
  try {
    for (let first = true; ; first = false) {
      const recording = first ? { ...desk, audit } : desk;
      const done = await call<Sync>(recording, operation, { ...sent, id });
      // Each time it waits for some seconds.
      const goesOn =
        operation === 'undo_sync' ? done.status === 'undoing' : done.status === 'finishing';
      if (!goesOn) return done;
    }
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    throw new Mistake(error.message.replaceAll(' at_most', ' --at-most'));
  }
}

function removedBy({ removed }: Sync): number {
  return Object.values(removed).reduce((sum, number) => sum + number, 0);
}
