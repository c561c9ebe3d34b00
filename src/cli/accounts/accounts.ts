/** `ledgerstone accounts`: makes, names, closes and empties accounts. */

import type { AccountBook } from '../../store/promises/account-book.ts';
import type { Account } from '../../store/promises/store.ts';
import { foundAccount } from '../found.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { checkName } from '../name.ts';
import { plain, print } from '../output.ts';
import { withStore } from '../store.ts';
import { accountJson, accountsJson, accountTable, modeOf } from './account-view.ts';
import { addShowAndChange } from './accounts-change.ts';
import { addDelete, addWipe } from './accounts-wipe.ts';

interface Options {
  readonly json?: true;
}

export function addAccounts(program: Command): void {
  const accounts = program
    .command('accounts')
    .description('Create, list, show, change, close, reopen, wipe and delete accounts');
  addCreate(accounts);
  addList(accounts);
  addShowAndChange(accounts);
  addChange(accounts, 'close', {
    description: 'Close an account: no key can see it, but its records are kept',
    does: 'Close an account, until it is reopened',
    change: (book, account) => book.close(account),
    done: 'Closed',
  });
  addChange(accounts, 'reopen', {
    description: 'Open a closed account again',
    does: 'Reopen an account; its keys work as before',
    change: (book, account) => book.reopen(account),
    done: 'Reopened',
  });
  addWipe(accounts);
  addDelete(accounts);
}

function addCreate(accounts: Command): void {
  accounts
    .command('create')
    .description('Create an account, live unless --test is given; this cannot be changed later')
    .requiredOption('--name <name>', 'The name of the account')
    .option('--test', 'Create a test account, whose records can be wiped')
    .option('--json', 'Print the account as one JSON document')
    .examples(
      ['ledgerstone accounts create --name "Example Funeral Group"', 'Create a live account'],
      [
        'ledgerstone accounts create --name "Trial" --test --json',
        'Create a test account in a script',
      ],
    )
    .action(
      async ({ name, test, json }: Options & { name: string; test?: true }, command: Command) => {
        checkName(name);
        const account = await withStore(
          command,
          { create: true, acts: true },
          async (store, audit) => {
            const made = await store.accounts.create({ name, livemode: test === undefined });
            await audit.made(made.unique_identifier, [made.unique_identifier]);
            return made;
          },
        );
        report(account, json, 'Created');
      },
    );
}

function addList(accounts: Command): void {
  accounts
    .command('list')
    .description('List all accounts, closed ones included')
    .option('--json', 'Print a JSON array')
    .examples(['ledgerstone accounts list', 'See all accounts'])
    .action(async ({ json }: Options, command: Command) => {
      const { found, set } = await withStore(command, { records: true }, async (store) => {
        const all = await store.accounts.list();
        const ids = all.map(({ unique_identifier }) => unique_identifier);
        return { found: all, set: await store.locationSettings.of(ids) };
      });
      const none = 'There are no accounts yet: "ledgerstone accounts create" creates one.';
      const lines = found.length === 0 ? [none] : accountTable(found, set);
      print(json, accountsJson(found, set), ...lines);
    });
}

function addChange(
  accounts: Command,
  name: string,
  {
    description,
    does,
    change,
    done,
  }: {
    readonly description: string;
    readonly does: string;
    readonly change: (book: AccountBook, account: string) => Promise<Account | undefined>;
    readonly done: string;
  },
): void {
  accounts
    .command(`${name} <id>`)
    .description(description)
    .option('--json', 'Print the account as one JSON document')
    .examples([`ledgerstone accounts ${name} acct_…`, does])
    .action(async (id: string, { json }: Options, command: Command) => {
      const account = await withStore(command, { acts: true }, async (store) =>
        settled(foundAccount(await change(store.accounts, id), id, store)),
      );
      report(account, json, done);
    });
}

/** An account that is being emptied cannot be opened or closed. */
function settled(account: Account): Account {
  const { becomes, unique_identifier: id } = account;
  if (becomes === null) return account;
  const command = becomes === 'gone' ? 'delete' : 'wipe';
  throw new Mistake(
    `${id} is being emptied, and stays closed until that is done: go on with "ledgerstone accounts ${command} ${id}".`,
  );
}

function report(account: Account, json: true | undefined, done: string): void {
  const called = `${account.unique_identifier}, ${plain(account.name)}`;
  print(json, accountJson(account), `${done} the ${modeOf(account)} account ${called}.`);
}
