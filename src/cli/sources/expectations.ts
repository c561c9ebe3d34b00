/** `ledgerstone sources expectations` and `expect`: what is to come from sources at locations, and whether it does. */
import { Option } from 'commander';
import type { Expectation as Shown } from '../../../client/src/generated/objects.d.ts';
import { present } from '../../core/objects/own-object.ts';
import { EXPECTATION_STATES, expectation } from '../../core/objects/requests/expectation.ts';
import { anchorShape, resources } from '../../core/registry.ts';
import { setExpectation } from '../../edge/operations/feeds/expectations.ts';
import { stewardOf } from '../../records/auth/operator.ts';
import { createExpectations } from '../../services/expectations/expectations.ts';
import type { Expectation } from '../../store/promises/requests.ts';
import type { Store } from '../../store/promises/store.ts';
import { allAccounts } from '../found.ts';
import type { Command } from '../help.ts';
import { locationCalled } from '../keys/key-scope.ts';
import { Mistake } from '../mistake.ts';
import { addMembers, callOperation } from '../operation.ts';
import { print, table } from '../output.ts';
import { withStore } from '../store.ts';

interface Options {
  readonly source?: string;
  readonly state?: string;
  readonly location?: string;
  readonly json?: true;
}

const HEADINGS = ['STATE', 'SINCE', 'SOURCE', 'LOCATION', 'EXPECTED', 'STATUS', 'LAST RECORD'];
const SET = {
  hours: '--hours <hours>',
  every: '--every <hour|day>',
  silent_after: '--silent-after <count>',
  closed_days: '--closed-days <days>',
  status: '--status <confirmed|off>',
};
/** From the best to the worst. */
const STATES: readonly string[] = EXPECTATION_STATES;
const PAGE = 1000;
const NONE = 'Nothing is expected: what sources send is learned when they have sent for two weeks.';

export function addExpectations(sources: Command): void {
  sources
    .command('expectations')
    .description('List what is expected of sources at locations, and whether it comes')
    .option('--source <id>', 'Only those of this source')
    .addOption(
      new Option('--state <state>', 'Only those in this state').choices(EXPECTATION_STATES),
    )
    .option('--json', 'Print a JSON array, as in the API')
    .examples(['ledgerstone sources expectations --state silent', 'See which sources are silent'])
    .action(async (options: Options, command: Command) => {
      const { found, names } = await withStore(command, {}, async (store) => {
        const found = await expectationsIn(store, options);
        return { found, names: await namesOf(store) };
      });
      print(options.json, found, ...(found.length === 0 ? [NONE] : linesOf(found, names)));
    });
  addMembers(sources.command('expect <id>'), setExpectation, SET)
    .description('Say what is expected of a source at a location; confirm what was learned')
    .requiredOption('--location <id>', 'The location, by its identifier or external identifier')
    .option('--json', 'Print the expectation as one JSON document')
    .examples(
      ['ledgerstone sources expect src_… --location oak-street', 'Confirm what was learned'],
      [
        'ledgerstone sources expect src_… --location oak-street --hours "mon-sun 2-4" --every day',
        'A nightly load',
      ],
    )
    .action(async (source: string, options: Options, command: Command) => {
      const set = await withStore(command, { records: true }, async (store, audit) => {
        const location = await locationIn(store, options.location ?? '');
        const { silentAfter, ...texts } = options as Options & { readonly silentAfter?: string };
        const given =
          silentAfter === undefined ? texts : { ...texts, silentAfter: Number(silentAfter) };
        const services = { expectations: createExpectations(store, resources, Date.now) };
        const caller = stewardOf(await allAccounts(store));
        const sent = { members: { source, location }, flags: SET, options: given };
        return callOperation<Shown>(setExpectation, { services, caller, audit }, sent);
      });
      const what = set.status === 'off' ? 'nothing' : `${set.hours}, every ${set.every}`;
      print(options.json, set, `${set.unique_identifier} expects ${what}.`);
    });
}

/** Of all open accounts, or those of a source or in a state. */
export async function expectationsIn(
  store: Store,
  { source, state }: Options,
): Promise<readonly Shown[]> {
  const accounts = await allAccounts(store);
  const all: Expectation[] = [];
  for (let after: string | undefined; ; after = all.at(-1)?.unique_identifier) {
    const query = { accounts, source, state, after, limit: PAGE };
    const page = await store.expectations.list(query);
    all.push(...page);
    if (page.length < PAGE) break;
  }
  return all.map((one) => present(expectation, one, 'cli', 0) as unknown as Shown);
}

/** Of each source the worst state, and at how many of its locations it is in that. */
export function worstOf(all: readonly Shown[]): ReadonlyMap<string, string> {
  const expected = all.filter(({ status }) => status !== 'off');
  const rank = ({ state }: Shown): number => STATES.indexOf(state);
  return new Map(
    [...Map.groupBy(expected, ({ source }) => source)].map(([source, some]) => {
      const worst = some.reduce((one, other) => (rank(other) > rank(one) ? other : one));
      const alike = some.filter(({ state }) => state === worst.state).length;
      return [
        source,
        some.length === 1 ? worst.state : `${worst.state} (${alike} of ${some.length})`,
      ];
    }),
  );
}

async function locationIn(store: Store, text: string): Promise<string> {
  const accounts = (await store.accounts.list()).filter(({ closed_at }) => closed_at === null);
  const found = await locationCalled(store, text, accounts);
  if (found !== undefined) return found.unique_identifier;
  throw new Mistake(`--location: there is no ${anchorShape.resource} ${JSON.stringify(text)}.`);
}

/** The names of sources, by their identifiers. */
export async function namesOf(store: Store): Promise<ReadonlyMap<string, string>> {
  const sources = await store.sources.list(await allAccounts(store));
  return new Map(sources.map((one) => [one.unique_identifier, one.name]));
}

function linesOf(found: readonly Shown[], names: ReadonlyMap<string, string>): readonly string[] {
  return table(
    HEADINGS,
    found.map((one) => [
      ...[one.status === 'off' ? '-' : one.state, one.since, names.get(one.source) ?? one.source],
      ...[one.location, one.hours === '' ? '-' : `${one.hours}, every ${one.every}`, one.status],
      one.last_at ?? 'never',
    ]),
  );
}
