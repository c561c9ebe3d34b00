/** `ledgerstone holds`: keeps records from being forgotten, and releases them. */
import type { Hold } from '../../../client/src/generated/objects.d.ts';
import { resources } from '../../core/registry.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import { holdOperations } from '../../edge/operations/privacy/holds.ts';
import { officerOf } from '../../records/auth/operator.ts';
import { HoldDesk } from '../../services/holds/holds.ts';
import type { Store } from '../../store/promises/store.ts';
import { allAccounts } from '../found.ts';
import type { Command } from '../help.ts';
import { openAccounts } from '../keys/key-scope.ts';
import { addMembers, namedOperations, type OperationDesk } from '../operation.ts';
import { print, table } from '../output.ts';
import { withStore } from '../store.ts';
import { readMoment } from '../time.ts';

interface Json {
  readonly json?: true;
}

const PLACE = { record: '--record <id>', matter: '--matter <text>', reason: '--reason <text>' };
const LIST = { record: '--record <id>' };
const RELEASE = { reason: '--reason <text>' };
const HEADINGS = ['HOLD', 'STATUS', 'UNTIL', 'RESOURCE', 'RECORD', 'PLACED', 'MATTER'];

const { named, call, every } = namedOperations(holdOperations);

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
      const placed = await atDesk(command, async (desk, store) => {
        const all = await store.accounts.list();
        const [{ unique_identifier: account }] = openAccounts(store, all, [options.account]);
        const sent = { members: { account, until }, flags: PLACE, options };
        return call<Hold>(desk, 'place_hold', sent);
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
      const sent = { flags: LIST, options };
      const all = await atDesk(command, (desk) => every<Hold>(desk, 'list_holds', sent));
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
      const sent = { id, flags: RELEASE, options };
      const released = await atDesk(command, (desk) => call<Hold>(desk, 'release_hold', sent));
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

function atDesk<Result>(
  command: Command,
  work: (desk: OperationDesk, store: Store) => Promise<Result>,
): Promise<Result> {
  return withStore(command, { records: true }, async (store, audit) => {
    const services = { holds: new HoldDesk(store, resources, Date.now) };
    return work({ services, caller: officerOf(await allAccounts(store)), audit }, store);
  });
}
