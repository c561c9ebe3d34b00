/** `ledgerstone accounts`: creates, lists, changes, closes and empties accounts. */
import { account as accountObject } from '../../core/objects/account.ts';
import { present } from '../../core/objects/own-object.ts';
import { anchorShape } from '../../core/registry.ts';
import { accountOperations } from '../../edge/operations/accounts.ts';
import { emptyAccount } from '../../services/emptying.ts';
import type { Account, Store } from '../../store/promises/store.ts';
import { agreed, typed } from '../confirm.ts';
import { addDerived } from '../derived.ts';
import { checkName, foundAccount } from '../found.ts';
import type { Command } from '../help.ts';
import { dayOf } from '../keys/key-view.ts';
import { Mistake } from '../mistake.ts';
import { countingProgress, type ListColumns, plain, print } from '../output.ts';
import { withStore } from '../store.ts';

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

const says = (done: string) => (one: AccountJson) =>
  `${done} the ${modeOf(one)} account ${one.unique_identifier}, ${plain(one.name)}.`;

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

interface Options {
  readonly yes?: true;
  readonly confirm?: string;
  readonly json?: true;
}

/** `refuses`: why it cannot be done with the account; `confirms` throws a `Mistake` unless the person agrees. */
const WIPE = {
  verb: 'wipe',
  says: 'Remove every record of a test account, after confirmation; the account and its keys are kept',
  examples: {
    'ledgerstone accounts wipe acct_…': 'Empty a test account',
    'ledgerstone accounts wipe acct_… --confirm "Example Group"': 'The same in a script',
  },
  refuses: ({ unique_identifier: id, livemode, becomes }: Account) => {
    if (livemode)
      return `${id} is a live account. Only test accounts can be wiped; "ledgerstone accounts delete" removes an account with all that it holds.`;
    return becomes === 'gone'
      ? `${id} is being removed: go on with "ledgerstone accounts delete".`
      : undefined;
  },
  confirms: async (account: Account, store: Store) => {
    const what = `Remove every record of ${named(account, store)}?`;
    const add = '--confirm with the name of the account, or --yes to wipe it';
    if (!(await agreed(what, add))) throw new Mistake('Nothing was removed.');
  },
  isRemoved: false,
  done: 'Removed from',
};

const DELETE = {
  verb: 'delete',
  says: 'Delete a closed account, live or test, with everything that belongs to it, for good; a service goes on after an interruption, and so does the same command',
  examples: {
    'ledgerstone accounts delete acct_…': 'Delete an account; asks for its name',
    'ledgerstone accounts delete acct_… --confirm "Example Group"': 'The same in a script',
  },
  // Somebody may still work in it: to close it shows who, and can be taken back.
  refuses: ({ unique_identifier: id, closed_at }: Account) =>
    closed_at === null
      ? `${id} is open. Close it first, which can be undone: "ledgerstone accounts close ${id}".`
      : undefined,
  confirms: async (account: Account, store: Store) => {
    const what = `This removes ${named(account, store)} with everything that belongs to it, for good. Type its name:`;
    checkTyped(account, await typed(what, '--confirm with the name of the account, or --yes'));
  },
  isRemoved: true,
  done: 'Deleted the account',
};

function addEmptying(accounts: Command): void {
  for (const { verb, says, examples, refuses, confirms, isRemoved, done } of [WIPE, DELETE])
    (accounts.command(`${verb} <id>`) as Command)
      .description(says)
      .option('--confirm <name>', 'The name of the account, in place of confirming')
      .option('-y, --yes', 'Do not ask for confirmation')
      .option('--json', 'Print the account and what was removed as one JSON document')
      .examples(examples)
      .action((id: string, { confirm, yes, json }: Options, command: Command) =>
        withStore(command, { acts: true }, async (store) => {
          const all = await store.accounts.list();
          const found = all.find(({ unique_identifier }) => unique_identifier === id);
          const account = foundAccount(found, id, store);
          const refused = refuses(account);
          if (refused !== undefined) throw new Mistake(refused);
          if (confirm !== undefined) checkTyped(account, confirm);
          else if (!yes) await confirms(account, store);
          const progress = countingProgress();
          const report = (records: number) => progress.show('Removed', records);
          const emptying = emptyAccount(store, anchorShape, id, { isRemoved, report });
          const removed = foundAccount(await emptying.finally(progress.clear), id, store);
          const counts = Object.entries(removed).filter(([, count]) => count > 0);
          print(
            json,
            { ...present(accountObject, { ...account, becomes: null }, 'cli', 0), removed },
            `${done} ${id}, ${plain(account.name)}${counts.length > 0 ? ':' : '. It held no records.'}`,
            ...counts.map(([resource, count]) => `  ${count} × ${resource}`),
          );
        }),
      );
}

const named = ({ name, unique_identifier }: Account, { place }: Store): string =>
  `${plain(name)} (${unique_identifier}) in ${place}`;

function checkTyped({ name }: Account, given: string): void {
  if (given.trim() === name.trim()) return;
  throw new Mistake('That is not the name of the account. Nothing was removed.');
}
