/** `ledgerstone accounts wipe` and `delete`: removes the contents of an account in small steps, while a service runs. */

import { account as accountObject } from '../../core/objects/account.ts';
import { present } from '../../core/objects/own-object.ts';
import { anchorShape } from '../../core/registry.ts';
import { emptyAccount } from '../../services/emptying.ts';
import type { Account, Store } from '../../store/promises/store.ts';
import { agreed, typed } from '../confirm.ts';
import { accountWith, foundAccount } from '../found.ts';
import type { Command, Examples } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { plain, print } from '../output.ts';
import { countingProgress } from '../progress.ts';
import { withStore } from '../store.ts';

interface Options {
  readonly yes?: true;
  readonly confirm?: string;
  readonly json?: true;
}

interface Emptying {
  readonly says: string;
  readonly examples: Examples;
  /** Why it cannot be done with the account. */
  readonly refuses: (account: Account) => string | undefined;
  /** Asks the person; throws a `Mistake` unless they agree. */
  readonly asks: (account: Account, store: Store) => Promise<void>;
  readonly isRemoved: boolean;
  readonly done: string;
}

const WIPE: Emptying = {
  says: 'Remove every record of a test account, after confirmation; the account and its keys are kept',
  examples: {
    'ledgerstone accounts wipe acct_…': 'Empty a test account',
    'ledgerstone accounts wipe acct_… --confirm "Example Group"': 'The same in a script',
  },
  refuses: ({ unique_identifier: id, livemode, becomes }) => {
    if (livemode)
      return `${id} is a live account. Only test accounts can be wiped; "ledgerstone accounts delete" removes an account with all that it holds.`;
    return becomes === 'gone'
      ? `${id} is being removed: go on with "ledgerstone accounts delete".`
      : undefined;
  },
  asks: async (account, store) => {
    const what = `Remove every record of ${named(account, store)}?`;
    const add = '--confirm with the name of the account, or --yes to wipe it';
    if (!(await agreed(what, add))) throw new Mistake('Nothing was removed.');
  },
  isRemoved: false,
  done: 'Removed from',
};

const DELETE: Emptying = {
  says: 'Delete a closed account, live or test, with everything that belongs to it, for good; a service goes on after an interruption, and so does the same command',
  examples: {
    'ledgerstone accounts delete acct_…': 'Delete an account; asks for its name',
    'ledgerstone accounts delete acct_… --confirm "Example Group"': 'The same in a script',
  },
  // Somebody may still work in it: to close it shows who, and can be taken back.
  refuses: ({ unique_identifier: id, closed_at }) =>
    closed_at === null
      ? `${id} is open. Close it first, which can be undone: "ledgerstone accounts close ${id}".`
      : undefined,
  asks: async (account, store) => {
    const what = `This removes ${named(account, store)} with everything that belongs to it, for good. Type its name:`;
    checkName(account, await typed(what, '--confirm with the name of the account, or --yes'));
  },
  isRemoved: true,
  done: 'Deleted the account',
};

export function addEmptying(accounts: Command): void {
  for (const [verb, { says, examples, refuses, asks, isRemoved, done }] of [
    ['wipe', WIPE],
    ['delete', DELETE],
  ] as const)
    (accounts.command(`${verb} <id>`) as Command)
      .description(says)
      .option('--confirm <name>', 'The name of the account, in place of confirming')
      .option('-y, --yes', 'Do not ask for confirmation')
      .option('--json', 'Print the account and what was removed as one JSON document')
      .examples(examples)
      .action((id: string, { confirm, yes, json }: Options, command: Command) =>
        withStore(command, { acts: true }, async (store) => {
          const account = await accountWith(store, id);
          const refused = refuses(account);
          if (refused !== undefined) throw new Mistake(refused);
          if (confirm !== undefined) checkName(account, confirm);
          else if (!yes) await asks(account, store);
          const progress = countingProgress(process.stderr);
          const report = (records: number) => progress.show('Removed', records);
          const emptying = emptyAccount(store, anchorShape, id, { isRemoved, report });
          const removed = foundAccount(await emptying.finally(progress.clear), id, store);
          const counts = Object.entries(removed).filter(([, count]) => count > 0);
          print(
            json,
            {
              ...present(accountObject, { ...account, becomes: null }, 'cli', 0),
              removed,
            },
            `${done} ${id}, ${plain(account.name)}${counts.length > 0 ? ':' : '. It held no records.'}`,
            ...counts.map(([resource, count]) => `  ${count} × ${resource}`),
          );
        }),
      );
}

const named = ({ name, unique_identifier }: Account, { place }: Store): string =>
  `${plain(name)} (${unique_identifier}) in ${place}`;

function checkName({ name }: Account, given: string): void {
  if (given.trim() === name.trim()) return;
  throw new Mistake('That is not the name of the account. Nothing was removed.');
}
