/** `ledgerstone changes`: lists and follows the log of changes of an account. */
import { resources } from '../../core/registry.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { answerOf, changesOperation, changesRequest } from '../../edge/operations/changes.ts';
import type { OperationCall } from '../../edge/operations/operation.ts';
import type { Query } from '../../records/query/query.ts';
import { FOLLOW, NDJSON } from '../derived/members.ts';
import type { ListPage } from '../derived/operation.ts';
import { type At, addDerived } from '../derived.ts';
import type { Command } from '../help.ts';
import { printJsonLines, printLines, whenUnread } from '../output.ts';
import { stopSignal } from '../service/until-stopped.ts';
import { changeLine } from './lines.ts';

const CHANGES_AT_ONCE = 500;
const WAIT_SECONDS = 1;

export function addChanges(program: Command): void {
  addDerived(program, {
    name: 'changes',
    says: 'List and follow the changes of an account',
    operations: [{ ...changesOperation(resources), run: pageOrWait }],
    takes: ['query'],
    commands: {
      list: {
        says: 'List the changes of an account, the oldest first; with --follow, until Ctrl-C',
        flags: {
          starting_after: [
            '--starting-after <position>',
            'Start after this change, chg_…, or at "now"; by default with the oldest change that is kept',
          ],
          wait: false,
          expand: false,
        },
        options: [FOLLOW, NDJSON],
        runs: printed,
        // They are printed already.
        prints: () => [],
        examples: {
          '--account acct_… --follow': 'Everything that is kept, then what is new',
          '--account acct_… --follow --starting-after now': 'Only what is new',
          '--account acct_… --starting-after chg_… --ndjson': 'Go on from a position',
        },
      },
    },
  });
}

async function pageOrWait({ feed }: Query, { caller, params }: OperationCall<JsonObject>) {
  const wanted = await feed.begin(caller, changesRequest(params()));
  const reached = await feed.reached(wanted.account);
  const page = await feed.page(caller, wanted);
  if (page.changes.length > 0 || page.more || wanted.wait === 0) return answerOf(page);
  await feed.next(wanted.account, reached, wanted.wait * 1_000);
  return answerOf(await feed.page(caller, wanted));
}

/** Prints changes as they come; gives them where they are wanted as one document. */
async function printed({ call, members, options, directory }: At): Promise<readonly JsonObject[]> {
  const stopping = stopSignal(whenUnread);
  const all: JsonObject[] = [];
  const wait = options.follow ? WAIT_SECONDS : 0;
  for (let at: object = members; !stopping.aborted; ) {
    const sent = { members: { ...at, limit: CHANGES_AT_ONCE, wait } };
    const { data, has_more, position } = await call<ListPage<JsonObject>>('list_changes', sent);
    if (options.json) all.push(...data);
    else if (options.ndjson) printJsonLines(...data);
    else printLines(...(await Promise.all(data.map((one) => changeLine(one, directory.who)))));
    if (!has_more && wait === 0) break;
    if (position) at = { ...members, starting_after: position };
  }
  return all;
}
