/** `ledgerstone sources`: who sends records, whatever keys they use. */
import type { Source } from '../../../client/src/generated/objects.d.ts';
import { sourceOperations } from '../../edge/operations/feeds/sources.ts';
import { featureStates } from '../../features/command.ts';
import { createSources } from '../../services/sources/sources.ts';
import { type At, addDerived } from '../derived.ts';
import type { Command } from '../help.ts';

export function addSources(program: Command): void {
  addDerived(program, {
    name: 'sources',
    says: 'See who sends records, whatever keys they use; rename and merge them',
    operations: sourceOperations,
    open: (store) => ({ services: { sources: createSources(store) } }),
    commands: {
      list: {
        says: 'List the sources of all accounts with the keys that they send with, and the worst state of what is expected of them',
        examples: { '--account acct_…': 'See who sends to an account' },
        runs: listed,
        none: 'There are no sources: each is made when something is first sent.',
        columns: [
          ...['unique_identifier', 'name', 'keys', 'state'],
          ['SINCE', 'inserted_at'],
          'account',
        ],
      },
      'show <id>': {
        says: 'Show a source, with the keys that it sends with',
        examples: { 'src_…': 'See all about one source' },
        runs: async (at) => {
          const found = (await listed(at)).find((one) => one.unique_identifier === at.id);
          if (found !== undefined) return found;
          throw at.missing('source');
        },
      },
      'change <id>': {
        says: 'Give a source another name',
        examples: { 'src_… --name "Passare"': 'Call it what people call it' },
        prints: ({ unique_identifier: id, name }) => `${id} is called ${name}.`,
      },
      'merge <id>': {
        says: 'Make a source part of another one, with its records and keys; this cannot be undone',
        examples: { 'src_… --into src_…': 'Two keys of one system, each of which made a source' },
        prints: (into: Source, id) => `${id} is part of ${into.name} (${into.unique_identifier}).`,
      },
    },
  });
}

async function listed({
  call,
  store,
}: At): Promise<readonly (Source & { state: string | null })[]> {
  const { data } = await call<{ readonly data: readonly Source[] }>('list_sources');
  const states = new Map<string, string>();
  for (const load of featureStates)
    for (const [source, state] of await (await load())(store)) states.set(source, state);
  return data.map((one) => ({ ...one, state: states.get(one.unique_identifier) ?? null }));
}
