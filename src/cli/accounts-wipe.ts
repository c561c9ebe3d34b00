/** `ledgerstone accounts wipe`: removes every record of a test account. */
import type { Command } from 'commander';
import type { Account, Store } from '../store/store.ts';
import { accountJson } from './account-view.ts';
import { foundAccount } from './found.ts';
import { examples } from './help.ts';
import { Mistake } from './mistake.ts';
import { plain, printJson, printLines } from './output.ts';
import { withStore } from './store.ts';

export function addWipe(accounts: Command): void {
  accounts
    .command('wipe <id>')
    .description(
      'Remove every record of a test account, after confirmation; the account and its keys are kept',
    )
    .option('-y, --yes', 'Do not ask for confirmation')
    .option('--json', 'Print the account and what was removed as one JSON document')
    .addHelpText(
      'after',
      examples(
        ['ledgerstone accounts wipe acct_…', 'Empty a test account'],
        ['ledgerstone accounts wipe acct_… --yes', 'The same in a script'],
      ),
    )
    .action(async (id: string, { yes, json }: { yes?: true; json?: true }, command: Command) => {
      const { account, removed } = await withStore(command, {}, (store) => wipe(store, id, yes));
      const counts = [...removed].filter(([, count]) => count > 0);
      if (json) return printJson({ ...accountJson(account), removed: Object.fromEntries(removed) });
      if (counts.length === 0) return printLines(`${id} held no records.`);
      printLines(`Removed from ${id}, ${plain(account.name)}:`);
      printLines(...counts.map(([resource, count]) => `  ${count} × ${resource}`));
    });
}

async function wipe(store: Store, id: string, yes: true | undefined) {
  const all = await store.accounts.list();
  const account = foundAccount(
    all.find((one) => one.unique_identifier === id),
    id,
    store,
  );
  if (account.livemode) {
    throw new Mistake(`${id} is a live account. Only test accounts can be wiped.`);
  }
  if (!yes) await ask(account, store);
  const { removed } = foundAccount(await store.accounts.wipe(id), id, store);
  return { account, removed };
}

async function ask(account: Account, store: Store): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new Mistake(
      'Cannot ask for confirmation without a terminal: add --yes to wipe the account.',
    );
  }
  // Every command passes through this file, and the service must start fast.
  const { confirm } = await import('@clack/prompts');
  const answer = await confirm({
    message: `Remove every record of ${plain(account.name)} (${account.unique_identifier}) in ${store.place}?`,
    initialValue: false,
    output: process.stderr,
  });
  if (answer !== true) throw new Mistake('Nothing was removed.');
}
