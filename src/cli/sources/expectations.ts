/** `ledgerstone expectations`: what is to come from sources at locations, and whether it does. */
import type { Expectation as Shown } from '../../../client/src/generated/objects.d.ts';
import { EXPECTATION_STATES } from '../../core/objects/requests/expectation.ts';
import { anchorShape, resources } from '../../core/registry.ts';
import { expectationOperations } from '../../edge/operations/feeds/expectations.ts';
import { createQuery } from '../../records/query/query.ts';
import { createExpectations } from '../../services/expectations/expectations.ts';
import type { Expectation } from '../../store/promises/requests.ts';
import type { Store } from '../../store/promises/store.ts';
import { type At, addDerived } from '../derived.ts';
import { allAccounts } from '../found.ts';
import type { Command } from '../help.ts';
import { locationCalled } from '../keys/key-scope.ts';
import { Mistake } from '../mistake.ts';

export type NamedSource = Awaited<ReturnType<typeof listWithSources>>[number];

export function addExpectations(program: Command): void {
  addDerived(program, {
    name: 'expectations',
    says: 'See what is expected of sources at locations, and whether it comes',
    operations: expectationOperations,
    open: (store) => {
      const { anchorsIn, reads } = createQuery(store, resources, { now: Date.now });
      const expectations = createExpectations(store, resources, Date.now);
      return { services: { expectations, anchorsIn, reads } };
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

const PAGE = 1000;

/** Finds the worst state of each source, and at how many of its locations it is in that. */
export async function worstStates(store: Store): Promise<ReadonlyMap<string, string>> {
  const accounts = await allAccounts(store);
  const all: Expectation[] = [];
  for (let after: string | undefined; ; after = all.at(-1)?.unique_identifier) {
    const page = await store.expectations.list({ accounts, after, limit: PAGE });
    all.push(...page);
    if (page.length < PAGE) break;
  }
  const rank = ({ state }: Expectation): number => EXPECTATION_STATES.indexOf(state);
  const expected = all.filter(({ status }) => status !== 'off');
  return new Map(
    [...Map.groupBy(expected, ({ source }) => source)].map(([source, some]) => {
      const { state } = some.reduce((one, other) => (rank(other) > rank(one) ? other : one));
      const alike = some.filter((one) => one.state === state).length;
      return [source, some.length === 1 ? state : `${state} (${alike} of ${some.length})`];
    }),
  );
}

/** Calls the operation, and adds the names of sources to its list. */
export async function listWithSources({ store, every }: At, operation: string) {
  const sources = await store.sources.list(await allAccounts(store));
  const names = new Map(sources.map((one) => [one.unique_identifier, one.name]));
  const found = await every<{ readonly source: string }>(operation);
  return found.map((one) => ({ ...one, source_name: names.get(one.source) ?? null }));
}
