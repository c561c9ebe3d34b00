/** `ledgerstone changes`: follows the log of changes of an account, while a service may be running. */

import { ApiError } from '../../core/errors.ts';
import { resources } from '../../core/registry.ts';
import { operatorOf } from '../../records/auth/operator.ts';
import { createFeed, type FeedPage } from '../../records/changes/feed.ts';
import type { Store } from '../../store/promises/store.ts';
import { accountWith } from '../found.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { printLines } from '../output.ts';
import { stopSignal } from '../service/stop-signal.ts';
import { withStore } from '../store.ts';
import { changeLine } from './change-view.ts';
import { createWho } from './who.ts';

/** Changes that are printed at a time. */
const AT_ONCE = 500;
/** Between two looks whether to stop. */
const LOOK_MS = 1_000;

interface Options {
  readonly account: string;
  readonly startingAfter?: string;
  readonly json?: true;
}

export function addChanges(program: Command): void {
  const changes = program.command('changes').description('Follow the changes of an account');
  changes
    .command('follow')
    .description('Print the changes of an account, the oldest first, and continue until Ctrl-C')
    .requiredOption('--account <id>', 'The account')
    .option(
      '--starting-after <position>',
      'Start after this change, chg_…, or at "now"; by default with the oldest change that is kept',
    )
    .option('--json', 'Print each change as a line of JSON, as in the API')
    .examples(
      ['ledgerstone changes follow --account acct_…', 'Everything that is kept, then what is new'],
      ['ledgerstone changes follow --account acct_… --starting-after now', 'Only what is new'],
      [
        'ledgerstone changes follow --account acct_… --starting-after chg_… --json',
        'Continue from a position, for a program',
      ],
    )
    .action(async (options: Options, command: Command) => {
      await withStore(command, {}, (store) => follow(store, options));
    });
}

/** The message is for callers of the API. */
function inWordsOfHere(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  throw new Mistake(error.message.replace('Send starting_after=', 'Add --starting-after '));
}

async function follow(
  store: Store,
  { account, startingAfter: starting_after, json }: Options,
): Promise<void> {
  await accountWith(store, account);
  const stopping = stopSignal();
  const feed = createFeed(store, resources);
  const operator = operatorOf([account]);
  const everything = {
    resources: undefined,
    outcomes: undefined,
    location: undefined,
    region: undefined,
  };
  const filters = { ...everything, account, limit: AT_ONCE, wait: 0, expand: false };
  let request = await feed.begin(operator, { ...filters, starting_after });
  const who = createWho(store);
  const print = async ({ changes }: FeedPage): Promise<void> => {
    const lines = changes.map(({ text }) => (json ? text : changeLine(text, who)));
    printLines(...(await Promise.all(lines)));
  };
  while (!stopping.aborted) {
    const reached = await feed.reached(account);
    const page = await feed.page(operator, request).catch(inWordsOfHere);
    await print(page);
    request = { ...request, after: page.last };
    let now = reached;
    while (!page.more && now === reached && !stopping.aborted) {
      now = await feed.next(account, reached, LOOK_MS);
    }
  }
}
