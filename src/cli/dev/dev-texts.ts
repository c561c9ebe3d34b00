/** The text that `ledgerstone dev` prints once it has started. */
import { shellWord } from '../../core/observe/shell-word.ts';
import { anchorShape } from '../../core/registry.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import { presentAccount } from '../../edge/operations/accounts.ts';
import type { Account, Store } from '../../store/promises/store.ts';
import { accountColumns } from '../accounts/accounts.ts';
import { keyColumns, keyJson } from '../keys/key-view.ts';
import { align, tableOf } from '../output.ts';
import { type Sample, savedKey } from './dev-sample.ts';

const WEEK_MS = 604_800_000;
const MAX_COUNTED = 1000;

export interface Situation {
  readonly program: string;
  readonly now: number;
  readonly console: readonly string[];
}

/** For a store that was empty: what is there now, three commands that work when pasted alone, and last the key, where no text buries it. */
export function welcome(
  address: string,
  place: string,
  { account, secret, isSaved, location }: Sample,
  { program, now, console }: Situation,
): readonly string[] {
  const curl = (path: string, ...options: readonly string[]): string =>
    ['  curl -u', `${secret}:`, shellWord(address + path), ...options].join(' ');
  const event = {
    location_unique_identifier: location.unique_identifier,
    external_identifier: 'service-1',
    event_name: 'Celebration of life',
    event_datetime: presentTime(now + WEEK_MS),
  };
  return [
    ...running([
      ['Address', address],
      ['Account', account.unique_identifier, `${account.name} (test)`],
      ['Location', location.unique_identifier, location.name],
      ['Data', place],
    ]),
    'Paste any of these into another terminal.',
    '',
    'List the accounts:',
    curl('/v1/accounts'),
    '',
    'Create or update a location:',
    curl(
      '/v1/locations/upsert',
      `-d account_unique_identifier=${account.unique_identifier}`,
      '-d external_identifier=riverside',
      "-d 'location_name=Riverside Chapel'",
    ),
    '',
    `Create or update an event at ${location.name}:`,
    curl(
      '/v1/events/upsert',
      "-H 'Content-Type: application/json'",
      `-d ${shellWord(JSON.stringify(event))}`,
    ),
    '',
    ...console,
    'Ctrl-C stops it; the records stay.',
    '',
    ...(isSaved
      ? ['Your key. To show it again, from another terminal:', `  ${program} dev --show-key`]
      : ['Your key, shown only this once:']),
    '',
    `  ${secret}`,
    '',
  ];
}

/** For a store that is in use: what is there, and how to see a key or make another one. */
export async function describeStore(
  address: string,
  store: Store,
  { program, console }: Situation,
): Promise<readonly string[]> {
  const accounts = await store.accounts.list();
  const keys = await store.keys.list();
  const open = accounts.find((account) => account.closed_at === null);
  const create = ['keys create --account', open?.unique_identifier ?? 'acct_…'].join(' ');
  const shown = await Promise.all(accounts.map((one) => presentAccount(store, one)));
  return [
    ...running([
      ['Address', address],
      ['Locations', await countLocations(store, accounts)],
      ['Data', store.place],
    ]),
    ...indented(tableOf(accountColumns, shown)),
    '',
    ...indented(keys.length === 0 ? ['No keys.'] : tableOf(keyColumns, keys.map(keyJson))),
    '',
    ...((await savedKey(store)) === undefined
      ? []
      : [
          'To show the test key that was created at the first start:',
          `  ${program} dev --show-key`,
        ]),
    'Other keys are shown only when they are created. To create another one:',
    `  ${program} ${create}`,
    '',
    ...console,
    'Ctrl-C stops it; the records stay.',
    '',
  ];
}

async function countLocations(store: Store, accounts: readonly Account[]): Promise<string> {
  const { records, more } = await store.list({
    shape: anchorShape,
    scope: { accounts: new Set(accounts.map((one) => one.unique_identifier)), anchors: undefined },
    order: 'newest',
    limit: MAX_COUNTED,
  });
  return more ? `more than ${MAX_COUNTED}` : String(records.length);
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

function running(facts: Parameters<typeof align>[0]): readonly string[] {
  return ['', 'Ledgerstone is running, for this machine only.', '', ...indented(align(facts)), ''];
}
