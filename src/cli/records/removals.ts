/** `ledgerstone removals`: lists removals and restores them. */
import type { Removal } from '../../../client/src/generated/objects.d.ts';
import { resources } from '../../core/registry.ts';
import { operatorOf } from '../../records/auth/operator.ts';
import { createRemovals } from '../../records/changes/removals.ts';
import { createRestoreRemoval } from '../../records/ingest/one/restore-removal.ts';
import type { Store } from '../../store/promises/store.ts';
import { accountWith, allAccounts } from '../found.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { print, printLines, table } from '../output.ts';
import { withStore } from '../store.ts';

/** Default length of a list. */
const LISTED = 50;
const MAX_LISTED = 100_000;

export function addRemovals(program: Command): void {
  const removals = program.command('removals').description('See what was removed, and restore it');
  removals
    .command('list')
    .description('List what was removed from an account and can be restored, newest first')
    .requiredOption('--account <id>', 'The account')
    .option('--search <words>', 'Only removals with a record that held these words')
    .option('--limit <number>', 'How many to list at most', readLimit, LISTED)
    .option('--json', 'Print each removal as a line of JSON, as in the API')
    .examples(
      ['ledgerstone removals list --account acct_…', 'See what was removed'],
      ['ledgerstone removals list --account acct_… --search thornbury', 'Find a family'],
    )
    .action(async (options: ListOptions, command: Command) => {
      const found = await withStore(command, {}, (store) => listed(store, options));
      printLines(...(options.json ? found : table(HEADINGS, found.map(rowOf))));
    });
  removals
    .command('restore')
    .description('Restore the record that was removed and everything that went with it')
    .argument('<id>', 'Its identifier, rem_…')
    .option('--dry-run', 'Show what would come back, and write nothing')
    .option('--json', 'Print one JSON document, as in the API')
    .examples(['ledgerstone removals restore rem_… --dry-run', 'See what would come back'])
    .addHelpText(
      'after',
      '\nA record whose identifiers another one has by now stays removed and is named; the exit status is then 2.',
    )
    .action(async (id: string, { dryRun, json }: { dryRun?: true; json?: true }, command) => {
      const dry_run = dryRun === true;
      const done = await withStore(command, { acts: true }, async (store) => {
        const { principal, removals } = await restoring(store);
        const removal = await removals.find(principal, id);
        return createRestoreRemoval(store, resources)(principal, removal, { dry_run });
      });
      if (done.left_count > 0) process.exitCode = 2;
      const says = `${done.restored} restored, ${done.left_count} left removed.`;
      const unnamed = done.left_count - done.left.length;
      print(
        json,
        { object: 'restored_removal', unique_identifier: id, ...done },
        dry_run ? `Dry run: ${says} Nothing was written.` : says,
        ...done.left.map((one) => `${one.resource} ${one.record}: ${one.message}`),
        ...(unnamed > 0 ? [`and ${unnamed} more`] : []),
      );
    });
}

const HEADINGS = ['REMOVAL', 'REMOVED', 'RESOURCE', 'RECORDS', 'BY', 'NAME'];

interface ListOptions {
  readonly account: string;
  readonly search?: string;
  readonly limit: number;
  readonly json?: true;
}

async function listed(
  store: Store,
  { account, search: q, limit }: ListOptions,
): Promise<readonly string[]> {
  await accountWith(store, account);
  const { principal, removals } = await restoring(store);
  const found: string[] = [];
  const request = { account, q, resources: undefined, location: undefined, record: undefined };
  for (let starting_after: string | undefined; ; ) {
    const wanted = { ...request, limit: limit - found.length, starting_after };
    const page = await removals.page(principal, wanted);
    found.push(...page.removals);
    starting_after = page.position ?? undefined;
    if (!page.more || found.length >= limit) return found;
  }
}

function readLimit(text: string): number {
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_LISTED) return limit;
  throw new Mistake(`--limit must be a whole number from 1 to ${MAX_LISTED}.`);
}

async function restoring(store: Store) {
  const principal = operatorOf(await allAccounts(store));
  return { principal, removals: createRemovals(store, resources) };
}

function rowOf(text: string): string[] {
  const shown = JSON.parse(text) as Removal;
  return [
    ...[shown.unique_identifier, shown.removed_at, shown.resource, String(shown.count)],
    ...[shown.key ?? 'operator', shown.name ?? shown.external_identifier],
  ];
}
