/** `ledgerstone erasures`: finds the records of a person who asks to be forgotten, and erases those that are chosen. */
import type { Erasure } from '../../../client/src/generated/objects.d.ts';
import { titlesAmong } from '../../app/titles.ts';
import type { ListColumns } from '../../core/objects/own-object.ts';
import { isSimilar } from '../../core/objects/records/erasure.ts';
import { resources } from '../../core/registry.ts';
import { erasureOperations } from '../../edge/operations/erasures.ts';
import { typed } from '../confirm.ts';
import { type At, addDerived, type DerivedCommand } from '../derived.ts';
import type { Directory } from '../directory.ts';
import { type Command, optionsOf } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { align, count, jsonLines, plain, plainJson, progressLine, say } from '../output.ts';
import { shortOption } from '../service/settings.ts';
import { addErasuresApply, addErasuresVerify } from './erasures-files.ts';
import { journalFor } from './journal-for.ts';
import { addErasuresLostKey } from './lost-key.ts';

const CONFIRMATION = 'ERASE';

const RECORDS = { '--record <id...>': 'The identifiers of the matches' };
/** Erasures are printed with the names of what was found. */
const SHOWN: Pick<DerivedCommand, 'prints'> = {
  prints: (erasure, _, at) => erasureLines(at, erasure, Date.now()),
};

export function addErasures(program: Command): void {
  const erasures = addDerived(program, {
    name: 'erasures',
    says: 'Find the records of a person who asks to be forgotten, and erase them for good',
    operations: erasureOperations(resources),
    options: [shortOption('secret_key_file')],
    threads: true,
    takes: ['store', 'query', 'erasures'],
    commands: {
      create: {
        says: 'Look for the records of a person, and list them; erases nothing. What you say of the person is stored encrypted until the erasure ends',
        flags: { phone_numbers: '--phone <number...>', email_addresses: '--email <address...>' },
        ...SHOWN,
        examples: {
          '--account acct_… --phone +14155550123 --email jane@example.com --name "Jane Doe"':
            'Find what there is of a person',
          '--account acct_… --record ecr_… --received-at 2026-11-20':
            'Records that you know already',
        },
      },
      list: {
        says: 'List the erasures of all accounts, newest first, and say which are overdue',
        examples: { '': 'See what is due' },
        none: 'There are no erasures: "ledgerstone erasures create" begins one.',
        columns: COLUMNS,
      },
      'show <id>': {
        says: 'Show an erasure: what was found by what, and what became of it',
        ...SHOWN,
        examples: { 'ers_…': 'See what was found' },
      },
      'copy <id>': {
        says: 'Print what matches hold, and what they held before, as lines of JSON: for a person who wants to know',
        options: optionsOf({
          ...RECORDS,
          '--all': 'All matches but those of a similar name, after you looked at each',
        }),
        examples: { 'ers_… --record ecr_… > copy.ndjson': 'For the person' },
        runs: copied,
        prints: (lines: readonly string[]) => lines.map(plainJson),
      },
      'run <id>': {
        says: 'Erase matches of an erasure for good, after you typed ERASE. If something is left that cannot be erased, the exit status is 2',
        flags: { records: false, keep: false },
        options: optionsOf({
          ...RECORDS,
          '--all': 'Erase all matches but those of a similar name',
          '--past-only': 'What the records hold now stays, and only what they held before goes',
          '-y, --yes': 'Do not ask',
        }),
        ...SHOWN,
        examples: {
          'ers_… --record ecr_… dmr_…': 'Erase two of the matches',
          'ers_… --all --yes': 'All of them, in a script',
          'ers_… --record dmr_… --past-only':
            'A card number that was once typed into the wrong field',
        },
        runs: ran,
      },
      'close <id>': {
        says: 'Close an erasure without erasing anything more, and say on which basis',
        ...SHOWN,
        examples: {
          'ers_… --basis "arrangements are kept one year"': 'What a law wants to be kept',
        },
      },
      'lift <id>': {
        says: 'Let a record that was erased by mistake be sent again; its content is gone, and comes back only from its sender',
        ...SHOWN,
        examples: { 'ers_… --record ecr_…': 'After a mistake' },
      },
      'certificate <id>': {
        says: 'Print the certificate of an erasure as JSON: what was done, with a seal',
        examples: { 'ers_… > certificate.json': 'For the person, or an auditor' },
        prints: (certificate) => jsonLines(certificate),
      },
    },
  });
  addErasuresVerify(erasures);
  addErasuresApply(erasures);
  addErasuresLostKey(erasures);
}

async function copied(at: At): Promise<readonly string[]> {
  const chosen = new Set(await whichOf(at));
  const lines = await at.call<readonly string[]>('copy_erasure');
  return lines.filter((line) => chosen.has(JSON.parse(line).record));
}

async function whichOf({ call, id, options }: At): Promise<readonly string[]> {
  const { record, all } = options as { readonly record?: readonly string[]; readonly all?: true };
  if ((record === undefined) === (all === undefined))
    throw new Mistake('Say which matches: --record with their identifiers, or --all.');
  const { matches, refused_rows } = await call<Erasure>('get_erasure');
  const known = matches.map((match) => match.record);
  const other = record?.find((one) => !known.includes(one));
  if (other !== undefined)
    throw new Mistake(
      `${other} is not among the matches: "ledgerstone erasures show ${id}" lists them.`,
    );
  if (known.length === 0 && refused_rows === 0) throw new Mistake(`Nothing was found for ${id}.`);
  return record ?? matches.filter((match) => !isSimilar(match)).map((match) => match.record);
}

async function ran(at: At): Promise<Erasure> {
  const { call, here, directory, options } = at;
  const records = await whichOf(at);
  const keep = options.pastOnly === true ? 'current' : undefined;
  if (options.yes !== true) {
    const some = records.length === 0 ? 'refused rows of imports' : count(records.length, 'record');
    const all = `${some} in ${plain(directory.place)}`;
    const what =
      keep === undefined
        ? `This erases ${all} with all history, for good: nothing brings them back.`
        : `This erases what ${all} held before, for good. What they hold now stays.`;
    const answer = await typed(`${what} Type ${CONFIRMATION}:`, '--yes to erase');
    if (answer !== CONFIRMATION) throw new Mistake('Nothing was erased.');
  }
  const line = progressLine();
  const timer = setInterval(() => {
    call<Erasure>('get_erasure').then(
      ({ erased }) => line.show(() => `Erased: ${erased} of ${records.length}`),
      // The run itself fails with the same, and says so.
      () => {},
    );
  }, PROGRESS_MS);
  await call('run_erasure', { members: { records, keep } }).finally(() => {
    clearInterval(timer);
    line.clear();
  });
  await here?.services.erasures?.settled();
  const done = await call<Erasure>('get_erasure');
  const journal = here && (await journalFor(at.command, here.store));
  if (journal?.isOutside === false) say(ALONE);
  if (done.left.length > 0) process.exitCode = 2;
  return done;
}

const PROGRESS_MS = 500;
const ALONE =
  'ledgerstone: A restore of an older backup would bring these records back: the journal of erasures is in the database alone. Set ERASURES_TO or BACKUP_TO to a folder on another disk.';

const COLUMNS: ListColumns = [
  'unique_identifier',
  'status',
  ['DUE', (one: Erasure) => dueOf(one, Date.now())],
  ['FOUND', (one: Erasure) => one.matches.length],
  ...['erased', 'account', 'reference'],
];
const CONSUMERS = ['CONSUMER', 'STATUS', 'TOLD', 'ACKNOWLEDGED', 'SAW IT LAST', 'NAME'];
const SENDERS = ['SENT AGAIN BY', 'TIMES', 'FIRST', 'LAST', 'NAME'];
const MATCHES = ['RECORD', 'RESOURCE', 'FOUND BY', 'STATE', 'NAME'];

const LOOKED: Readonly<Record<string, string>> = {
  index: 'by index; the running service looks through the rest',
  too_many: 'until 1,000 records were found: begin another with a less common name',
};

const RUNNING =
  'running: the service ends it, once all copies of the journal of erasures have its lines';

function dueOf({ due_at, status }: Erasure, now: number): string {
  const isOpen = status !== 'done' && status !== 'closed';
  return `${due_at.slice(0, 10)}${isOpen && Date.parse(due_at) < now ? ' (overdue)' : ''}`;
}

/** Names of records are there for people alone, who choose by them. */
async function erasureLines(
  { here, directory }: At,
  one: Erasure,
  now: number,
): Promise<readonly string[]> {
  const { unique_identifier: id, matches, records, past_only, left, status } = one;
  const scope = { accounts: new Set([one.account]), anchors: undefined };
  const found = matches.map(({ record }) => record);
  const names = here && (await titlesAmong(here.store, resources, found, scope));
  const chosen = new Set(records);
  const codes = new Map(left.map(({ record, code }) => [record, code]));
  const stateOf = (record: string): string => {
    const code = codes.get(record);
    if (code !== undefined) return `left: ${code}`;
    if (!chosen.has(record)) return '-';
    if (status === 'running') return 'chosen';
    return past_only.includes(record) ? 'past erased' : 'erased';
  };
  const rows = matches.map(({ record, resource, reasons }) => [
    ...[record, resource, reasons.join(', '), stateOf(record), names?.get(record) ?? '-'],
  ]);
  return [
    ...align([
      ['Erasure', id],
      ['Account', one.account],
      ['Status', status === 'running' ? RUNNING : status],
      ['Received', one.received_at],
      ['Due', dueOf(one, now)],
      ...(one.reference === null ? [] : [['Reference', one.reference]]),
      ...(one.basis === null ? [] : [['Basis', one.basis]]),
      ['Looked', LOOKED[one.looked] ?? one.looked],
      ...(one.refused_rows === 0 ? [] : [['Refused rows', String(one.refused_rows)]]),
      ...(one.named_in.length === 0 ? [] : [['Named in', one.named_in.join(', ')]]),
      ['Erased', count(one.erased, 'record')],
      ...(one.image_hosts.length === 0 ? [] : [['Images at', one.image_hosts.join(', ')]]),
    ]),
    '',
    ...(rows.length === 0 ? ['Nothing was found.'] : align([MATCHES, ...rows])),
    ...(await notifiedLines(directory, one)),
  ];
}

/** Who has been notified, and who still sends what is erased. */
async function notifiedLines(
  { who }: Directory,
  { consumers, consumers_count, sent_again }: Erasure,
): Promise<string[]> {
  const called = async (id: string): Promise<string> => {
    const name = await who(id);
    return name === id ? '-' : name;
  };
  const notified = consumers.map(
    async ({ consumer, status, told_at, acknowledged_at, seen_at }) => [
      ...[consumer, status, told_at ?? '-', acknowledged_at ?? '-', seen_at ?? '-'],
      await called(consumer),
    ],
  );
  const again = sent_again.map(async ({ by, count: times, first_at, last_at }) => [
    ...[by, String(times), first_at, last_at, await called(by)],
  ]);
  const more = consumers_count - notified.length;
  return [
    ...(notified.length === 0 ? [] : ['', ...align([CONSUMERS, ...(await Promise.all(notified))])]),
    ...(more > 0 ? [`And ${count(more, 'more consumer')}.`] : []),
    ...(again.length === 0 ? [] : ['', ...align([SENDERS, ...(await Promise.all(again))])]),
  ];
}
