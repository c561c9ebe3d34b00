/** `ledgerstone sources`: who sends records, whatever keys they use. */
import type { Source } from '../../../client/src/generated/objects.d.ts';
import { listSources, mergeSource, updateSource } from '../../edge/operations/feeds/sources.ts';
import type { Operation } from '../../edge/operations/operation.ts';
import { stewardOf } from '../../records/auth/operator.ts';
import { createSources } from '../../services/sources/sources.ts';
import { allAccounts } from '../found.ts';
import type { Command } from '../help.ts';
import { accountsCalled } from '../keys/key-scope.ts';
import { addMembers, callOperation, type Sent } from '../operation.ts';
import { print, table } from '../output.ts';
import { withStore } from '../store.ts';
import { addExpectations, expectationsIn, worstOf } from './expectations.ts';

interface Json {
  readonly json?: true;
}

const HEADINGS = ['SOURCE', 'NAME', 'KEYS', 'STATE', 'SINCE', 'ACCOUNT'];
const RENAME = { name: '--name <text>' };
const MERGE = { into: '--into <id>' };

export function addSources(program: Command): void {
  const sources = program
    .command('sources')
    .description('See who sends records, whatever keys they use; rename and merge them');
  sources
    .command('list')
    .description(
      'List the sources of all accounts with the keys that they send with, and the worst state of what is expected of them',
    )
    .option('--account <id>', 'Only those of this account, by identifier or name')
    .option('--json', 'Print a JSON array, as in the API')
    .examples(['ledgerstone sources list --account acct_…', 'See who sends to an account'])
    .action(async ({ account, json }: Json & { readonly account?: string }, command: Command) => {
      const { data, states } = await withStore(command, { records: true }, async (store, audit) => {
        const all = account === undefined ? [] : await store.accounts.list();
        const [of] = accountsCalled(store, all, account === undefined ? [] : [account]);
        const caller = stewardOf(of ? [of.unique_identifier] : await allAccounts(store));
        const services = { sources: createSources(store) };
        const { data } = await callOperation<{ readonly data: readonly Source[] }>(
          listSources,
          { services, caller, audit },
          {},
        );
        return { data, states: worstOf(await expectationsIn(store, {})) };
      });
      const rows = data.map(({ unique_identifier: id, name, keys, inserted_at, account: of }) => [
        ...[id, name, keys.join(' ') || '-', states.get(id) ?? '-', inserted_at, of],
      ]);
      print(json, data, ...(rows.length === 0 ? [NONE] : table(HEADINGS, rows)));
    });
  addExpectations(sources);
  addMembers(sources.command('rename <id>'), updateSource, RENAME)
    .description('Give a source another name')
    .option('--json', 'Print the source as one JSON document')
    .examples(['ledgerstone sources rename src_… --name "Passare"', 'Call it what people call it'])
    .action(async (id: string, options: Json, command: Command) => {
      const renamed = await changed(command, updateSource, { id, flags: RENAME, options });
      print(options.json, renamed, `${renamed.unique_identifier} is called ${renamed.name}.`);
    });
  addMembers(sources.command('merge <id>'), mergeSource, MERGE)
    .description(
      'Make a source part of another one, with its records and keys; this cannot be undone',
    )
    .option('--json', 'Print the source that it is part of as one JSON document')
    .examples([
      'ledgerstone sources merge src_… --into src_…',
      'Two keys of one system, each of which made a source',
    ])
    .action(async (id: string, options: Json, command: Command) => {
      const into = await changed(command, mergeSource, { id, flags: MERGE, options });
      print(options.json, into, `${id} is part of ${into.name} (${into.unique_identifier}).`);
    });
}

const NONE = 'There are no sources: each is made when something is first sent.';

function changed(command: Command, operation: Operation, sent: Sent): Promise<Source> {
  return withStore(command, { records: true }, async (store, audit) => {
    const caller = stewardOf(await allAccounts(store));
    return callOperation<Source>(
      operation,
      { services: { sources: createSources(store) }, caller, audit },
      sent,
    );
  });
}
