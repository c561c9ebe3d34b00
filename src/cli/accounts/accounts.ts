/** `ledgerstone accounts`: creates, lists, changes, closes and empties accounts. */
import { accountOperations } from '../../edge/operations/accounts.ts';
import type { ListColumns } from '../derived/own-view.ts';
import { addDerived } from '../derived.ts';
import type { Command } from '../help.ts';
import { dayOf } from '../keys/key-view.ts';
import { Mistake } from '../mistake.ts';
import { checkName } from '../name.ts';
import { plain } from '../output.ts';
import { addEmptying } from './accounts-wipe.ts';

/** An account as it is listed. */
interface AccountJson {
  readonly unique_identifier: string;
  readonly name: string;
  readonly livemode: boolean;
  readonly inserted_at: string;
  readonly closed_at?: string;
  readonly becomes?: string;
  readonly time_zone: string;
  readonly inherited: readonly string[];
}

export const accountColumns: ListColumns = [
  ['ACCOUNT', 'unique_identifier'],
  'name',
  ['MODE', modeOf],
  ['STATUS', statusOf],
  [
    'TIME ZONE',
    ({ time_zone: zone, inherited }: AccountJson) =>
      inherited.includes('time_zone') ? `${zone} (not set)` : zone,
  ],
  ['CREATED', (one: AccountJson) => dayOf(one.inserted_at)],
];

function statusOf({ closed_at, becomes }: AccountJson): string {
  if (becomes !== undefined) return becomes === 'gone' ? 'being removed' : 'being emptied';
  return closed_at === undefined ? 'open' : `closed ${dayOf(closed_at)}`;
}

function modeOf({ livemode }: AccountJson): string {
  return livemode ? 'live' : 'test';
}

/** Says what was done with an account. */
const says = (done: string) => (one: AccountJson) => [
  `${done} the ${modeOf(one)} account ${one.unique_identifier}, ${plain(one.name)}.`,
];

export function addAccounts(program: Command): void {
  const accounts = addDerived(program, {
    name: 'accounts',
    says: 'Create, list, show, change, close, reopen, wipe and delete accounts',
    one: 'account',
    operations: accountOperations,
    open: (store) => ({ services: { store } }),
    commands: {
      create: {
        says: 'Create an account, live unless --test is given; this cannot be changed later',
        makesStore: ({ name }) => {
          if (name === undefined) throw new Mistake('--name is required.');
          checkName(String(name));
        },
        examples: {
          '--name "Example Funeral Group"': 'Create a live account',
          '--name "Trial" --test --json': 'Create a test account in a script',
        },
        prints: says('Created'),
      },
      list: {
        says: 'List all accounts, closed ones included',
        examples: { '': 'See all accounts' },
        none: 'There are no accounts yet: "ledgerstone accounts create" creates one.',
        columns: accountColumns,
      },
      'show <id>': {
        says: 'Show an account, and the time zone, region and state that it gives its locations',
        examples: { 'acct_…': 'See all about one account' },
      },
      'change <id>': {
        says: 'Change the name of an account, the time zone, region and state of all its locations that have none of their own, and whether corrections stay. What you leave out stays',
        examples: {
          'acct_… --name "Example Group"': 'Rename an account',
          'acct_… --time-zone America/Chicago': 'Set the time zone',
          'acct_… --pins off': 'Let systems overwrite what staff change',
        },
      },
      'close <id>': {
        says: 'Close an account: no key can see it, but its records are kept',
        examples: { 'acct_…': 'Close an account, until it is reopened' },
        prints: says('Closed'),
      },
      'reopen <id>': {
        says: 'Open a closed account again',
        examples: { 'acct_…': 'Reopen an account; its keys work as before' },
        prints: says('Reopened'),
      },
    },
  });
  addEmptying(accounts);
}
