/**
 * `ledgerstone accounts wipe` and `delete`: removes the contents of an account in small steps, while a service runs.
 */

import { account as accountObject } from '../../core/objects/account.ts';
import { present } from '../../core/objects/own-object.ts';
import { anchorShape } from '../../core/registry.ts';
import { removeAccount } from '../../store/emptying.ts';
import type { EmptyingResult, ReportProgress } from '../../store/promises/account-book.ts';
import type { Account, Store } from '../../store/promises/store.ts';
import { accountWith, foundAccount } from '../found.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { plain, print } from '../output.ts';
import { countingProgress } from '../progress.ts';
import { withStore } from '../store.ts';

interface Options {
  readonly yes?: true;
  readonly confirm?: string;
  readonly json?: true;
}

export function addWipe(accounts: Command): void {
  accounts
    .command('wipe <id>')
    .description(
      'Remove every record of a test account, after confirmation; the account and its keys are kept',
    )
    .option('--confirm <name>', 'The name of the account, in place of confirming')
    .option('-y, --yes', 'Do not ask for confirmation')
    .option('--json', 'Print the account and what was removed as one JSON document')
    .examples(
      ['ledgerstone accounts wipe acct_…', 'Empty a test account'],
      ['ledgerstone accounts wipe acct_… --confirm "Example Group"', 'The same in a script'],
    )
    .action(async (id: string, options: Options, command: Command) => {
      const done = await withStore(command, { acts: true }, async (store) => {
        const account = await accountWith(store, id);
        if (account.livemode) {
          throw new Mistake(
            `${id} is a live account. Only test accounts can be wiped; "ledgerstone accounts delete" removes an account with all that it holds.`,
          );
        }
        if (account.becomes === 'gone') {
          throw new Mistake(`${id} is being removed: go on with "ledgerstone accounts delete".`);
        }
        if (options.confirm !== undefined) checkName(account, options.confirm);
        else if (!options.yes) await askWhether(account, store);
        const counter = counting();
        const emptied = await store.accounts.wipe(id, counter.report).finally(counter.end);
        return { account, emptied: foundAccount(emptied, id, store) };
      });
      report(done, options, 'Removed from', 'It held no records.');
    });
}

export function addDelete(accounts: Command): void {
  accounts
    .command('delete <id>')
    .description(
      'Delete a closed account, live or test, with everything that belongs to it, for good; run it again to go on after an interruption',
    )
    .option('--confirm <name>', 'The name of the account, in place of typing it')
    .option('-y, --yes', 'Do not ask for the name')
    .option('--json', 'Print the account and what was removed as one JSON document')
    .examples(
      ['ledgerstone accounts delete acct_…', 'Delete an account; asks for its name'],
      ['ledgerstone accounts delete acct_… --confirm "Example Group"', 'The same in a script'],
    )
    .action(async (id: string, options: Options, command: Command) => {
      const done = await withStore(command, { acts: true }, async (store) => {
        const account = await accountWith(store, id);
        // Somebody may still work in it: to close it shows who, and can be taken back.
        if (account.closed_at === null)
          throw new Mistake(
            `${id} is open. Close it first, which can be undone: "ledgerstone accounts close ${id}".`,
          );
        if (!options.yes) checkName(account, options.confirm ?? (await askName(account, store)));
        const counter = counting();
        const emptied = await removeAccount(store, anchorShape, id, counter.report).finally(
          counter.end,
        );
        return { account, emptied: foundAccount(emptied, id, store) };
      });
      report(done, options, 'Deleted the account', 'It held no records.');
    });
}

function counting(): { readonly report: ReportProgress; readonly end: () => void } {
  const progress = countingProgress(process.stderr);
  return {
    report: (records) => progress.show('Removed', records),
    end: () => progress.clear(),
  };
}

function report(
  {
    account,
    emptied: { removed },
  }: { readonly account: Account; readonly emptied: EmptyingResult },
  { json }: Options,
  done: string,
  nothing: string,
): void {
  const { unique_identifier: id, name } = account;
  const counts = [...removed].filter(([, count]) => count > 0);
  print(
    json,
    {
      ...present(accountObject, { ...account, becomes: null }, 'cli', 0),
      removed: Object.fromEntries(removed),
    },
    `${done} ${id}, ${plain(name)}${counts.length > 0 ? ':' : `. ${nothing}`}`,
    ...counts.map(([resource, count]) => `  ${count} × ${resource}`),
  );
}

function wantTerminal(instead: string): void {
  if (process.stdin.isTTY && process.stderr.isTTY) return;
  throw new Mistake(`Cannot ask for confirmation without a terminal: add ${instead}.`);
}

async function askWhether(account: Account, store: Store): Promise<void> {
  wantTerminal('--confirm with the name of the account, or --yes to wipe it');
  // Every command passes through this file, and the service must start fast.
  const { confirm } = await import('@clack/prompts');
  const answer = await confirm({
    message: `Remove every record of ${plain(account.name)} (${account.unique_identifier}) in ${store.place}?`,
    initialValue: false,
    output: process.stderr,
  });
  if (answer !== true) throw new Mistake('Nothing was removed.');
}

async function askName(account: Account, store: Store): Promise<string> {
  wantTerminal('--confirm with the name of the account, or --yes');
  const { text } = await import('@clack/prompts');
  const answer = await text({
    message: `This removes ${plain(account.name)} (${account.unique_identifier}) in ${store.place} with everything that belongs to it, for good. Type its name:`,
    output: process.stderr,
  });
  return typeof answer === 'string' ? answer : '';
}

function checkName({ name }: Account, given: string): void {
  if (given.trim() === name.trim()) return;
  throw new Mistake('That is not the name of the account. Nothing was removed.');
}
