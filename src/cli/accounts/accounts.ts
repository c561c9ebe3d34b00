/** `ledgerstone accounts`: creates, lists, changes, closes and empties accounts. */
import { account as accountObject } from '../../core/objects/account.ts';
import { present } from '../../core/objects/own-object.ts';
import { anchorShape } from '../../core/registry.ts';
import { accountOperations } from '../../edge/operations/accounts.ts';
import { operatorOf } from '../../records/auth/principal.ts';
import { emptyAccount } from '../../services/emptying.ts';
import type { Account, Store } from '../../store/promises/store.ts';
import { agreed, typed } from '../confirm.ts';
import { addDerived, type Options } from '../derived.ts';
import { checkName, foundAccount } from '../found.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { countingProgress, plain, print } from '../output.ts';
import { withStore } from '../store.ts';
import { type AccountJson, accountColumns, modeOf } from './account-view.ts';

const says = (done: string) => (one: AccountJson) =>
  `${done} the ${modeOf(one)} account ${one.unique_identifier}, ${plain(one.name)}.`;

/** Says that the account is there, and what comes next. */
function created(one: AccountJson, { timeZone }: Options): readonly string[] {
  const { unique_identifier: id } = one;
  return [
    says('Created')(one),
    `It has no keys and no locations yet. "ledgerstone keys create --account ${id}" creates a key, with which a system sends the locations first. To import them: "ledgerstone import --account ${id} locations.csv".`,
    ...(timeZone === undefined
      ? [
          `Its times are in UTC until you say its time zone: "ledgerstone accounts change ${id} --time-zone America/Chicago".`,
        ]
      : []),
  ];
}

export function addAccounts(program: Command): void {
  const accounts = addDerived(program, {
    name: 'accounts',
    says: 'Create, list, show, change, close, reopen, wipe and delete accounts',
    one: 'account',
    operations: accountOperations,
    takes: ['store'],
    callerOf: () => operatorOf([]),
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
          '--name "Example Funeral Group" --time-zone America/Chicago': 'Say its time zone, too',
        },
        prints: (one, _, { options }) => created(one, options),
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

interface EmptyingOptions {
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
      .action((id: string, { confirm, yes, json }: EmptyingOptions, command: Command) =>
        withStore(command, { acts: true }, async (store) => {
          const account = foundAccount(await store.accounts.find(id), id, store);
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
