/** `ledgerstone history`: what happened to one record, also to one that was removed. */

import { ApiError } from '../../core/errors.ts';
import { resourceOf } from '../../core/registry.ts';
import { operatorOf } from '../../records/auth/operator.ts';
import { createHistory } from '../../records/changes/history.ts';
import type { Store } from '../../store/promises/store.ts';
import { allAccounts } from '../found.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { printLines } from '../output.ts';
import { withStore } from '../store.ts';
import { historyLines } from './change-view.ts';
import { createWho } from './who.ts';

const PAGE = 500;

export function addHistory(program: Command): void {
  program
    .command('history <id>')
    .description(
      'Print what happened to a record, newest first: who changed which member, and when. Also works for a removed record',
    )
    .option('--json', 'Print each change as a line of JSON, as in the API')
    .examples(
      ['ledgerstone history evt_…', 'See who changed what, and when'],
      ['ledgerstone history evt_… --json', 'The same for a program'],
    )
    .action(async (id: string, { json }: { json?: true }, command: Command) => {
      await withStore(command, {}, async (store) => {
        const who = createWho(store);
        for await (const entry of historyOf(store, id)) {
          printLines(...(json ? [entry] : await historyLines(entry, who)));
        }
      });
    });
}

async function* historyOf(store: Store, id: string): AsyncGenerator<string> {
  const resource = resourceOf(id);
  if (resource === undefined) throw nothing(id, store);
  const history = createHistory(store);
  const operator = operatorOf(await allAccounts(store));
  for (let starting_after: string | undefined; ; ) {
    const request = { limit: PAGE, starting_after };
    const page = await history.page(operator, resource, id, request).catch((error: unknown) => {
      const isMissing = error instanceof ApiError && error.code === 'resource_missing';
      throw isMissing ? nothing(id, store) : error;
    });
    yield* page.entries;
    const last = page.entries.at(-1);
    if (!page.more || last === undefined) return;
    starting_after = (JSON.parse(last) as { unique_identifier: string }).unique_identifier;
  }
}

function nothing(id: string, { place }: Store): Mistake {
  return new Mistake(
    `There is no record ${JSON.stringify(id)} in ${place}, and the log of changes shows none that was removed.`,
  );
}
