/** `ledgerstone erasures`: finds the records of a person who asks to be forgotten, and erases those that are chosen. */
import { Option } from 'commander';
import type { Erasure } from '../../../client/src/generated/objects.d.ts';
import { readSettings } from '../../core/config.ts';
import { type ErasureMatch, isSimilar } from '../../core/objects/records/erasure.ts';
import { Timing } from '../../core/observe/timing.ts';
import { resources } from '../../core/registry.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import { erasureOperations } from '../../edge/operations/erasures.ts';
import { erasureProofOperations } from '../../edge/operations/privacy/erasure-proof.ts';
import { officerOf } from '../../records/auth/operator.ts';
import { createQuery, type Query } from '../../records/query/query.ts';
import { copyLines } from '../../services/erasures/copy.ts';
import { ErasureDesk } from '../../services/erasures/erasures.ts';
import type { ErasureJournal } from '../../services/erasures/journal.ts';
import type { Store } from '../../store/promises/store.ts';
import { allAccounts } from '../found.ts';
import type { Command } from '../help.ts';
import { openAccounts } from '../keys/key-scope.ts';
import { Mistake } from '../mistake.ts';
import { addMembers, namedOperations, type OperationDesk } from '../operation.ts';
import { count, plain, print, printJson, printLines, table } from '../output.ts';
import { progressLine } from '../progress.ts';
import { givenSettings, settingOption } from '../service/settings.ts';
import { sealerOf, withStore } from '../store.ts';
import { readPast } from '../time.ts';
import { erasureLines, HEADINGS, rowOf } from './erasure-view.ts';
import { addErasuresApply } from './erasures-apply.ts';
import { addErasuresVerify } from './erasures-verify.ts';
import { journalFor } from './journal-for.ts';

interface Json {
  readonly json?: true;
}

const CREATE = {
  phone_numbers: '--phone <number...>',
  email_addresses: '--email <address...>',
  names: '--name <name...>',
  records: '--record <id...>',
  reference: '--reference <text>',
};
const RUN = { records: '--record <id...>' };
const CLOSE = { basis: '--basis <text>' };
const LIFT = { record: '--record <id>' };
/** What is typed to confirm. */
const WORD = 'ERASE';

const { named, call, every } = namedOperations([
  ...erasureOperations(resources),
  ...erasureProofOperations,
]);

/** The command line on the store that a command names. */
interface Desk extends OperationDesk {
  readonly store: Store;
  readonly query: Query;
  readonly journal: ErasureJournal;
}

export function addErasures(program: Command): void {
  const erasures = program
    .command('erasures')
    .description('Find the records of a person who asks to be forgotten, and erase them for good');
  addMembers(made(erasures, 'create'), named('begin_erasure'), CREATE)
    .description(
      'Look for the records of a person, and list them; erases nothing. What you say of the person is stored encrypted until the erasure ends',
    )
    .requiredOption('--account <id>', 'The account to look in, by identifier or name')
    .option('--received-at <when>', 'When the person asked: a time, or a date; now by default')
    .examples(
      [
        'ledgerstone erasures create --account acct_… --phone +14155550123 --email jane@example.com --name "Jane Doe"',
        'Find what there is of a person',
      ],
      [
        'ledgerstone erasures create --account acct_… --record ecr_… --received-at 2026-11-20',
        'Records that you know already',
      ],
    )
    .action(async (options: CreateOptions, command: Command) => {
      const { account, receivedAt: at } = options;
      const now = Date.now();
      const received_at = at && presentTime(readPast(at, '--received-at', now));
      await shown(command, options, async (desk) => {
        const [of] = openAccounts(desk.store, await desk.store.accounts.list(), [account]);
        const members = { account: of.unique_identifier, received_at };
        return call<Erasure>(desk, 'begin_erasure', { members, flags: CREATE, options });
      });
    });
  made(erasures, 'list')
    .description('List the erasures of all accounts, newest first, and say which are overdue')
    .examples(['ledgerstone erasures list', 'See what is due'])
    .action(async ({ json }: Json, command: Command) => {
      const all = await atDesk(command, (desk) => every<Erasure>(desk, 'list_erasures'));
      const none = 'There are no erasures: "ledgerstone erasures create" begins one.';
      const rows = all.map((one) => rowOf(one, Date.now()));
      print(json, all, ...(all.length === 0 ? [none] : table(HEADINGS, rows)));
    });
  made(erasures, 'show <id>')
    .description('Show an erasure: what was found by what, and what became of it')
    .examples(['ledgerstone erasures show ers_…', 'See what was found'])
    .action((id: string, options: Json, command: Command) =>
      shown(command, options, (desk) => call<Erasure>(desk, 'get_erasure', { id })),
    );
  (erasures.command('copy <id>') as Command)
    .description(
      'Print what matches hold, and what they held before, as lines of JSON: for a person who wants to know',
    )
    .option('--record <id...>', 'The unique_identifiers of the matches')
    .option('--all', 'All matches but those of a similar name, after you looked at each')
    .addOption(settingOption('secret_key_file'))
    .examples(['ledgerstone erasures copy ers_… --record ecr_… > copy.ndjson', 'For the person'])
    .action(async (id: string, options: Which, command: Command) =>
      atDesk(command, async (desk) => {
        const chosen = new Set(await whichOf(desk, id, options));
        const { matches } = await call<Erasure>(desk, 'get_erasure', { id });
        const wanted = matches.filter(({ record }) => chosen.has(record)) as ErasureMatch[];
        const parts = { resources, timing: new Timing(), caller: async () => desk.caller };
        for await (const line of copyLines({ ...parts, query: desk.query }, wanted))
          printLines(line);
      }),
    );
  made(erasures, 'run <id>')
    .description('Erase matches of an erasure for good, after you typed ERASE')
    .option('--record <id...>', 'The unique_identifiers of the matches to erase')
    .option('--all', 'Erase all matches but those of a similar name')
    .addOption(
      new Option(
        '--keep <what>',
        'current: what the records hold now stays, and only what they held before goes',
      ).choices(['current']),
    )
    .option('-y, --yes', 'Do not ask')
    .addHelpText('after', '\nIf something is left that cannot be erased, the exit status is 2.')
    .examples(
      ['ledgerstone erasures run ers_… --record ecr_… dmr_…', 'Erase two of the matches'],
      ['ledgerstone erasures run ers_… --all --yes', 'All of them, in a script'],
      [
        'ledgerstone erasures run ers_… --record dmr_… --keep current',
        'A card number that was once typed into the wrong field',
      ],
    )
    .action((id: string, options: RunOptions, command: Command) =>
      shown(command, options, (desk) => ran(desk, id, options)),
    );
  addMembers(made(erasures, 'close <id>'), named('close_erasure'), CLOSE)
    .description('Close an erasure without erasing anything more, and say on which basis')
    .examples([
      'ledgerstone erasures close ers_… --basis "arrangements are kept one year"',
      'What a law wants to be kept',
    ])
    .action((id: string, options: Json, command: Command) =>
      shown(command, options, (desk) =>
        call<Erasure>(desk, 'close_erasure', { id, flags: CLOSE, options }),
      ),
    );
  addMembers(made(erasures, 'lift <id>'), named('lift_erasure'), LIFT)
    .description(
      'Let a record that was erased by mistake be sent again; its content is gone, and comes back only from its sender',
    )
    .examples(['ledgerstone erasures lift ers_… --record ecr_…', 'After a mistake'])
    .action((id: string, options: Json, command: Command) =>
      shown(command, options, (desk) =>
        call<Erasure>(desk, 'lift_erasure', { id, flags: LIFT, options }),
      ),
    );
  (erasures.command('certificate <id>') as Command)
    .description('Print the certificate of an erasure as JSON: what was done, with a seal')
    .addOption(settingOption('secret_key_file'))
    .examples([
      'ledgerstone erasures certificate ers_… > certificate.json',
      'For the person, or an auditor',
    ])
    .action(async (id: string, _: object, command: Command) =>
      printJson(await atDesk(command, (desk) => call(desk, 'get_erasure_certificate', { id }))),
    );
  addErasuresVerify(erasures);
  addErasuresApply(erasures);
}

interface CreateOptions extends Json {
  readonly account: string;
  readonly receivedAt?: string;
}

interface Which {
  readonly record?: readonly string[];
  readonly all?: true;
}

interface RunOptions extends Json, Which {
  readonly keep?: 'current';
  readonly yes?: true;
}

function made(erasures: Command, name: string): Command {
  return (erasures.command(name) as Command)
    .addOption(settingOption('secret_key_file'))
    .option('--json', 'Print JSON, as in the API') as Command;
}

/** A thread of its own writes, so that progress is shown meanwhile. */
function atDesk<Result>(command: Command, work: (desk: Desk) => Promise<Result>): Promise<Result> {
  const sealer = sealerOf(command);
  const names = ['backup_to', 'backup_keep'] as const;
  const { backup_to, backup_keep } = readSettings(givenSettings(command), undefined, names);
  return withStore(command, { threads: true, records: true }, async (store, audit) => {
    const query = createQuery(store, resources, { now: Date.now, observer: undefined });
    const { search } = query;
    const journal = await journalFor(command, store);
    const erasures = new ErasureDesk(store, {
      ...{ resources, sealer, journal, now: Date.now },
      backupKeepMs: backup_to === undefined ? undefined : backup_keep,
    });
    const caller = officerOf(await allAccounts(store));
    return work({ store, caller, query, journal, audit, services: { erasures, search, store } });
  });
}

/** Prints the erasure that an operation answers with. */
async function shown(
  command: Command,
  { json }: Json,
  work: (desk: Desk) => Promise<Erasure>,
): Promise<void> {
  const { erasure, lines } = await atDesk(command, async (desk) => {
    const erasure = await work(desk);
    return { erasure, lines: await erasureLines(desk.store, erasure, Date.now()) };
  });
  print(json, erasure, ...lines);
}

/** The matches that are meant. */
async function whichOf(desk: Desk, id: string, { record, all }: Which): Promise<readonly string[]> {
  if ((record === undefined) === (all === undefined))
    throw new Mistake('Say which matches: --record with their identifiers, or --all.');
  const { matches, refused_rows } = await call<Erasure>(desk, 'get_erasure', { id });
  const known = matches.map((match) => match.record);
  const other = record?.find((one) => !known.includes(one));
  if (other !== undefined)
    throw new Mistake(
      `${other} is not among the matches: "ledgerstone erasures show ${id}" lists them.`,
    );
  if (known.length === 0 && refused_rows === 0) throw new Mistake(`Nothing was found for ${id}.`);
  return record ?? matches.filter((match) => !isSimilar(match)).map((match) => match.record);
}

async function ran(desk: Desk, id: string, options: RunOptions): Promise<Erasure> {
  const { keep, yes } = options;
  const records = await whichOf(desk, id, options);
  if (!yes) await confirmed(records.length, keep, desk.store);
  const line = progressLine(process.stderr);
  const timer = setInterval(() => {
    desk.store.erasing.progress(id).then(
      ({ erased }) => line.show(() => `Erased: ${erased} of ${records.length}`),
      // The run itself fails with the same, and says so.
      () => {},
    );
  }, PROGRESS_MS);
  const sent = { id, members: { records, keep }, flags: RUN };
  await call<Erasure>(desk, 'run_erasure', sent).finally(() => {
    clearInterval(timer);
    line.clear();
  });
  await desk.services.erasures?.settled();
  const done = await call<Erasure>(desk, 'get_erasure', { id });
  if (done.left.length > 0) process.exitCode = 2;
  if (!desk.journal.isOutside) process.stderr.write(`${ALONE}\n`);
  return done;
}

const PROGRESS_MS = 250;
const ALONE =
  'ledgerstone: A restore of an older backup would bring these records back: the journal of erasures is in the database alone. Set ERASURES_TO or BACKUP_TO to a folder on another disk.';

async function confirmed(
  records: number,
  keep: RunOptions['keep'],
  { place }: Store,
): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new Mistake('Cannot ask for confirmation without a terminal: add --yes to erase.');
  const { text } = await import('@clack/prompts');
  const all = `${records === 0 ? 'refused rows of imports' : count(records, 'record')} in ${plain(place)}`;
  const what =
    keep === undefined
      ? `This erases ${all} with all history, for good: nothing brings them back.`
      : `This erases what ${all} held before, for good. What they hold now stays.`;
  const answer = await text({
    message: `${what} Type ${WORD}:`,
    output: process.stderr,
  });
  if (answer !== WORD) throw new Mistake('Nothing was erased.');
}
