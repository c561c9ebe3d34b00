/** `ledgerstone holds`: keeps records from being forgotten, and releases them. */
import type { Hold } from '../../../client/src/generated/operations.ts';
import { resources } from '../../core/registry.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import type { Operation } from '../../edge/operations/operation.ts';
import { holdOperations } from '../../edge/operations/privacy/holds.ts';
import { officerOf } from '../../records/auth/operator.ts';
import { HoldDesk } from '../../services/holds/holds.ts';
import { allAccounts } from '../found.ts';
import type { Command } from '../help.ts';
import { openAccounts } from '../keys/key-scope.ts';
import { addMembers, callOperation } from '../operation.ts';
import { print, table } from '../output.ts';
import { withStore } from '../store.ts';
import { readMoment } from '../time.ts';

interface Json {
  readonly json?: true;
}

const PLACE = { record: '--record <id>', matter: '--matter <text>', reason: '--reason <text>' };
const LIST = { record: '--record <id>' };
const RELEASE = { reason: '--reason <text>' };
const PAGE = 50;
const HEADINGS = ['HOLD', 'STATUS', 'UNTIL', 'RESOURCE', 'RECORD', 'PLACED', 'MATTER'];

const operations = new Map(holdOperations.map((one) => [one.name, one]));

export function addHolds(program: Command): void {
  const holds = program
    .command('holds')
    .description('Keep records from being removed, erased or forgotten by age, and release them');
  addMembers(made(holds, 'place'), named('place_hold'), PLACE)
    .description('Keep a record and all that belongs to it, also what arrives later')
    .requiredOption('--account <id>', 'The account, by identifier or name')
    .option('--until <when>', 'When it ends by itself: a time, a date, or a duration such as 90d')
    .examples(
      [
        'ledgerstone holds place --account acct_… --record evt_… --matter "Case 2026-118"',
        'A service with its visitors',
      ],
      [
        'ledgerstone holds place --account acct_… --matter "Case 2026-118" --until 2028-01-01',
        'A whole account, until a day',
      ],
    )
    .action(async (options: PlaceOptions, command: Command) => {
      const until = options.until && presentTime(readMoment(options.until, '--until', Date.now()));
      const placed = await withStore(command, {}, async (store) => {
        const all = await store.accounts.list();
        const [{ unique_identifier: account }] = openAccounts(store, all, [options.account]);
        const services = { holds: new HoldDesk(store, resources, Date.now) };
        const caller = officerOf(all.map((one) => one.unique_identifier));
        const sent = { members: { account, until }, flags: PLACE, options };
        return callOperation<Hold>(named('place_hold'), services, caller, sent);
      });
      print(options.json, placed, `${placed.unique_identifier} keeps ${placed.record}.`);
    });
  addMembers(made(holds, 'list'), named('list_holds'), LIST)
    .description('List the holds of all accounts, newest first, released ones too')
    .examples(
      ['ledgerstone holds list', 'See what is held'],
      ['ledgerstone holds list --record evt_…', 'See what keeps a record'],
    )
    .action(async (options: Json, command: Command) => {
      const all = await withStore(command, {}, async (store) => {
        const services = { holds: new HoldDesk(store, resources, Date.now) };
        const caller = officerOf(await allAccounts(store));
        const found: Hold[] = [];
        for (let starting_after: string | undefined; ; ) {
          const sent = { members: { limit: PAGE, starting_after }, flags: LIST, options };
          const page = await callOperation<{ data: readonly Hold[]; has_more: boolean }>(
            ...([named('list_holds'), services, caller, sent] as const),
          );
          found.push(...page.data);
          starting_after = page.data.at(-1)?.unique_identifier;
          if (!page.has_more) return found;
        }
      });
      const rows = all.map((one) => [
        ...[one.unique_identifier, one.status, one.until ?? '-', one.resource, one.record],
        ...[one.inserted_at, one.matter],
      ]);
      const lines = rows.length === 0 ? ['Nothing is held.'] : table(HEADINGS, rows);
      print(options.json, all, ...lines);
    });
  addMembers(made(holds, 'release <id>'), named('release_hold'), RELEASE)
    .description('Release a hold: what waited for it, such as an erasure, goes on')
    .examples(['ledgerstone holds release hld_… --reason "the case is closed"', 'When a case ends'])
    .action(async (id: string, options: Json, command: Command) => {
      const released = await withStore(command, {}, async (store) => {
        const services = { holds: new HoldDesk(store, resources, Date.now) };
        const caller = officerOf(await allAccounts(store));
        const sent = { id, flags: RELEASE, options };
        return callOperation<Hold>(named('release_hold'), services, caller, sent);
      });
      print(options.json, released, `Released ${id}.`);
    });
}

interface PlaceOptions extends Json {
  readonly account: string;
  readonly until?: string;
}

function made(holds: Command, name: string): Command {
  return (holds.command(name) as Command).option('--json', 'Print JSON, as in the API') as Command;
}

function named(name: string): Operation {
  return operations.get(name) as Operation;
}
