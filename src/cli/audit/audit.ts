/** `ledgerstone audit`: shows who has seen or done what, and verifies that nothing of it was changed. */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Option } from 'commander';
import { readSettings } from '../../core/config.ts';
import { present } from '../../core/objects/own-object.ts';
import { AUDIT_ACTIONS, auditEntry } from '../../core/objects/requests/audit-entry.ts';
import { AUDIT } from '../../services/audit/chain.ts';
import { verifyAudit } from '../../services/audit/verify.ts';
import type {
  AuditBook,
  AuditEntry,
  AuditHead,
  AuditQuery,
} from '../../store/promises/audit/book.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { count, plain, printJson, printLines, table } from '../output.ts';
import { progressLine } from '../progress.ts';
import { givenSettings, settingOption } from '../service/settings.ts';
import { sealerOf, withStore } from '../store.ts';
import { readPast } from '../time.ts';

interface Filters {
  readonly record?: string;
  readonly by?: string;
  readonly action?: string;
  readonly account?: string;
  readonly since: string;
  readonly limit: string;
  readonly json?: true;
}

const HEADINGS = ['TIME', 'BY', 'ACTION', 'RESOURCE', 'RECORD', 'WHAT', 'COUNT', 'ADDRESS'];
const MAX_SHOWN = 10_000;
/** How often `follow` looks, and how late a process may write what was done. */
const LOOK_MS = 1_000;
const LATE_MS = 90_000;

export function addAudit(program: Command): void {
  const audit = program
    .command('audit')
    .description('Show who has seen or done what, and verify that nothing of it was changed');
  filtered(audit.command('list'))
    .description('List what was seen and done, newest first')
    .option('--since <when>', 'How far back: a duration such as 1h or 7d, a time, or a date', '24h')
    .option('--limit <number>', 'How many entries at most', '100')
    .examples(
      ['ledgerstone audit list --record ecr_… --since 800d', 'Who has seen a record'],
      ['ledgerstone audit list --by stf_… --since 30d', 'What a person has seen'],
      ['ledgerstone audit list --action export --since 30d', 'What was taken away'],
    )
    .action(async (options: Filters, command: Command) => {
      const limit = readLimit(options.limit);
      const from = readPast(options.since, '--since', Date.now());
      const found = await withStore(command, {}, ({ audit: book }) =>
        book.list({ ...filtersOf(options), from, limit }),
      );
      show(found, options.json);
    });
  filtered(audit.command('follow'))
    .description('Keep running and print what is seen and done, oldest first, until Ctrl-C')
    .examples(['ledgerstone audit follow --json', 'Feed it to a program that ships logs'])
    .action((options: Omit<Filters, 'since' | 'limit'>, command: Command) =>
      withStore(command, {}, ({ audit: book }) => follow(book, options)),
    );
  audit
    .command('head')
    .description(
      'Print the end of each chain as a line of JSON: kept elsewhere, it shows what is cut off later',
    )
    .examples(['ledgerstone audit head > head-of-today.ndjson', 'Keep it on another machine'])
    .action((_options: object, command: Command) =>
      withStore(command, {}, async ({ audit: book }) => {
        printLines(...(await book.heads()).map((head) => JSON.stringify(head)));
      }),
    );
  audit
    .command('verify')
    .description(
      'Read the whole audit, and name the first entry of each chain that was changed, removed, added or moved; exits with 1 if there is one, and with 2 if some could not be checked for want of the key',
    )
    .option(
      '--head <file>',
      'What "audit head" printed before, the log of the service, or the certificate of an erasure: shows that a chain was cut',
    )
    .addOption(settingOption('secret_key_file'))
    .addOption(settingOption('audit_days'))
    .option('--json', 'Print one JSON document')
    .examples(
      ['ledgerstone audit verify', 'Is anything changed or missing?'],
      ['ledgerstone audit verify --head service.log', 'Was anything cut off?'],
    )
    .action(verify);
}

function filtered(command: Command): Command {
  return command
    .option('--record <id>', 'Only entries on this record, or on this key, person or erasure')
    .option('--by <id>', 'Only what this person or key did: stf_…, key_…, or operator')
    .addOption(new Option('--action <name>', 'Only entries of this action').choices(AUDIT_ACTIONS))
    .option('--account <id>', 'Only entries of this account')
    .option('--json', 'Print each entry as a line of JSON, as in the API');
}

function filtersOf({ record, by, action, account }: Partial<Filters>): Omit<AuditQuery, 'limit'> {
  return { record, by, action, account };
}

function readLimit(text: string): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_SHOWN) return limit;
  throw new Mistake(`--limit must be a whole number from 1 to ${MAX_SHOWN}.`);
}

function show(entries: readonly AuditEntry[], json: true | undefined): void {
  if (json) {
    printLines(...entries.map((one) => JSON.stringify(present(auditEntry, one, 'cli', 0))));
    return;
  }
  if (entries.length > 0) printLines(...table(HEADINGS, entries.map(rowOf)));
  else printLines('There are no such entries.');
}

function rowOf(one: AuditEntry): readonly string[] {
  return [
    ...[new Date(one.time).toISOString(), one.by ?? '', one.action, one.resource ?? ''],
    ...[
      one.record ?? '',
      (one.what ?? '').replaceAll('_', ' '),
      String(one.count),
      one.address ?? '',
    ],
  ];
}

/** Processes write what was done a little later, and not in order: so each look goes back a little. */
async function follow(book: AuditBook, options: Partial<Filters>): Promise<void> {
  const began = Date.now();
  let seen = new Set<string>();
  for (;;) {
    const from = Math.max(began, Date.now() - LATE_MS);
    const found = await book.list({ ...filtersOf(options), from, limit: MAX_SHOWN });
    const fresh = found.filter(({ unique_identifier }) => !seen.has(unique_identifier));
    if (options.json) show(fresh.toReversed(), true);
    else printLines(...fresh.toReversed().map((one) => plain(rowOf(one).join('  '))));
    seen = new Set(found.map(({ unique_identifier }) => unique_identifier));
    await pause(LOOK_MS);
  }
}

async function verify(
  { head, json }: { readonly head?: string; readonly json?: true },
  command: Command,
): Promise<void> {
  const heads = head === undefined ? [] : readHeads(head);
  const { audit_days: days } = readSettings(givenSettings(command), undefined, ['audit_days']);
  const keys = sealerOf(command)?.derived(AUDIT) ?? [];
  const line = progressLine(process.stderr);
  const now = Date.now();
  const verified = await withStore(command, {}, ({ audit: book }) =>
    verifyAudit({
      ...{ book, keys, heads, days, now },
      progress: (entries) => line.show(() => `Read: ${countEntries(entries)}`),
    }).finally(line.clear),
  );
  const { entries, chains, keyless, unchecked, faults } = verified;
  const wrong = faults.length;
  if (json) printJson({ ok: wrong === 0, ...verified });
  else {
    printLines(
      ...faults.map(({ chain, number, unique_identifier, says }) =>
        plain(
          [`Chain ${chain}, entry ${number}`, unique_identifier, says].filter(Boolean).join(': '),
        ),
      ),
      `${countEntries(entries)} in ${count(chains, 'chain')} were read${wrong === 0 ? ': no faults' : ''}.`,
      ...(unchecked === 0
        ? []
        : [
            `${unchecked.toLocaleString('en-US')} of them could not be checked but for their numbers: they were written with a key. Name it with SECRET_KEY_FILE.`,
          ]),
      ...(keyless === 0
        ? []
        : [
            `${keyless.toLocaleString('en-US')} of them were written without SECRET_KEY_FILE: they prove nothing about somebody who can write to the database.`,
          ]),
    );
  }
  if (unchecked > 0) process.exitCode = 2;
  if (wrong > 0) throw new Mistake(`The audit is not whole: ${count(wrong, 'fault')}.`);
}

function countEntries(entries: number): string {
  return count(entries, 'entry').replace('entrys', 'entries');
}

/** The ends of chains in what `audit head` printed, in the log of the service, or in a certificate of an erasure. */
function readHeads(file: string): readonly Omit<AuditHead, 'time'>[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Mistake(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  const heads = [text, ...text.split('\n')].flatMap((part) =>
    part.includes('"chain"') ? headsIn(part) : [],
  );
  if (heads.length > 0) return heads;
  throw new Mistake(
    `${file} has no end of a chain: name what "audit head" printed, a log of the service, or the certificate of an erasure.`,
  );
}

function headsIn(text: string): readonly Omit<AuditHead, 'time'>[] {
  let read: { readonly audit_head?: unknown } | null;
  try {
    read = JSON.parse(text);
  } catch {
    return [];
  }
  const some: readonly unknown[] = Array.isArray(read?.audit_head) ? read.audit_head : [read];
  return some.flatMap((one) => {
    const { chain, number, mac } = (one ?? {}) as Partial<AuditHead>;
    return typeof chain === 'string' && typeof number === 'number' && typeof mac === 'string'
      ? [{ chain, number, mac }]
      : [];
  });
}
