/** `ledgerstone expectations`: what is to come from sources at locations, and whether it does. */
import type { Expectation as Shown } from '../../../client/src/generated/objects.d.ts';
import { type At, addDerived } from '../../cli/derived.ts';
import type { Command } from '../../cli/help.ts';
import { locationCalled } from '../../cli/keys/key-scope.ts';
import { Mistake } from '../../cli/mistake.ts';
import { listWithSources, type NamedSource } from '../../cli/sources/syncs.ts';
import { anchorShape, resources } from '../../core/registry.ts';
import { createQuery } from '../../records/query/query.ts';
import type { Store } from '../../store/promises/store.ts';
import { operations } from './operations.ts';
import { serve } from './serves.ts';

export function add(program: Command): void {
  addDerived(program, {
    name: 'expectations',
    says: 'See what is expected of sources at locations, and whether it comes',
    operations: operations(),
    open: (store) => {
      const parts = { store, resources, now: Date.now };
      return {
        services: { expectations: serve(parts).service, ...createQuery(store, resources, parts) },
      };
    },
    commands: {
      list: {
        says: 'List what is expected of sources at locations, and whether it comes',
        examples: { '--state silent': 'See which sources are silent' },
        none: 'Nothing is expected: what sources send is learned when they have sent for two weeks.',
        runs: (at) => listWithSources(at, 'list_expectations'),
        columns: [
          'unique_identifier',
          ['STATE', (one: Shown) => (one.status === 'off' ? '-' : one.state)],
          'since',
          ['SOURCE', (one: NamedSource) => one.source_name ?? one.source],
          'location',
          [
            'EXPECTED',
            (one: Shown) => (one.hours === '' ? '-' : `${one.hours}, every ${one.every}`),
          ],
          'status',
          ['LAST RECORD', (one: Shown) => one.last_at ?? 'never'],
        ],
      },
      'set <source>': {
        of: 'set_expectation',
        says: 'Say what is expected of a source at a location; confirm what was learned',
        flags: { source: false },
        members: async (_, at) => ({ source: at.id, ...(await locationOf(at)) }),
        examples: {
          'src_… --location oak-street': 'Confirm what was learned',
          'src_… --location oak-street --hours "mon-sun 2-4" --every day': 'A nightly load',
        },
        prints: ({ unique_identifier, status, hours, every }) =>
          `${unique_identifier} expects ${status === 'off' ? 'nothing' : `${hours}, every ${every}`}.`,
      },
      'delete <id>': {
        says: 'Forget an expectation. If the source is regular, it is learned again within a day: to expect nothing, set --status off',
        examples: { 'exp_…': 'When it was learned by mistake' },
        prints: (_, id) => `Deleted ${id}.`,
      },
    },
  });
}

/** A location goes by its external identifier, too. */
async function locationOf({ store, options }: At): Promise<object> {
  if (options.location === undefined) return {};
  const accounts = (await store.accounts.list()).filter(({ closed_at }) => closed_at === null);
  const found = await locationCalled(store, String(options.location), accounts);
  if (found !== undefined) return { location: found.unique_identifier };
  throw new Mistake(
    `--location: there is no ${anchorShape.resource} ${JSON.stringify(options.location)}.`,
  );
}

/** The worst state of each source, and at how many of its locations it is in that. */
export async function states({ expectations }: Store): Promise<ReadonlyMap<string, string>> {
  const bySource = Map.groupBy(await expectations.states(), ([source]) => source);
  return new Map(
    [...bySource].map(([source, some]) => {
      const [[, worst, alike] = ['', '', 0]] = some;
      const all = some.reduce((sum, [, , count]) => sum + count, 0);
      return [source, all === 1 ? worst : `${worst} (${alike} of ${all})`];
    }),
  );
}
