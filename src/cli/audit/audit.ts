/** `ledgerstone audit`: shows who has seen or done what, and verifies that nothing of it was changed. */
import type { AuditEntry, AuditHead } from '../../core/objects/requests/audit-entry.ts';
import { listAudit } from '../../edge/operations/log/requests.ts';
import { AUDIT } from '../../services/audit/chain.ts';
import { verifyAudit } from '../../services/audit/verify.ts';
import { addDerived } from '../derived.ts';
import { bytesOf } from '../given.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { count, plain, print, printJsonLines, progressLine } from '../output.ts';
import { settingOption, settingsFor, shortOption } from '../service/settings.ts';
import { sealerOf, withStore } from '../store.ts';

export function addAudit(program: Command): void {
  const audit = addDerived(program, {
    name: 'audit',
    says: 'Show who has seen or done what, and verify that nothing of it was changed',
    operations: [listAudit],
    takes: ['store', 'reads'],
    commands: {
      list: {
        says: 'List what was seen and done, newest first; with --follow, oldest first, until Ctrl-C',
        flags: { by: '--by <id>', action: '--action <name>' },
        most: 100,
        lateMs: 90_000,
        examples: {
          '--record ecr_… --since 800d': 'Who has seen a record',
          '--by stf_… --since 30d': 'What a person has seen',
          '--action export --since 30d': 'What was taken away',
          '--follow --ndjson': 'Feed it to a program that ships logs',
        },
        none: 'There are no such entries.',
        columns: [
          ...['time', 'by', 'action', 'resource', 'record'],
          ['WHAT', (one: AuditEntry) => one.what?.replaceAll('_', ' ')],
          ...['count', 'address'],
        ],
        each: ({ time, by, action, resource, record, what, count: times, address }) => [
          plain([time, by, action, resource, record, what, times, address].join('  ')),
        ],
      },
    },
  });
  audit
    .command('head')
    .description(
      'Print the end of each chain as a line of JSON: kept elsewhere, it shows what is cut off later',
    )
    .examples({ 'ledgerstone audit head > head-of-today.ndjson': 'Keep it on another machine' })
    .action((_options: object, command: Command) =>
      withStore(command, {}, async ({ audit: book }) => {
        printJsonLines(...(await book.heads()));
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
    .addOption(shortOption('secret_key_file'))
    .addOption(settingOption('audit_days'))
    .option('--json', 'Print one JSON document')
    .examples({
      'ledgerstone audit verify': 'Is anything changed or missing?',
      'ledgerstone audit verify --head service.log': 'Was anything cut off?',
    })
    .action(verify);
}

async function verify(
  { head, json }: { readonly head?: string; readonly json?: true },
  command: Command,
): Promise<void> {
  const heads = head === undefined ? [] : readHeads(head);
  const { audit_days: days } = settingsFor(command, 'audit_days');
  const keys = sealerOf(command)?.derived(AUDIT) ?? [];
  const line = progressLine();
  const now = Date.now();
  const verified = await withStore(command, {}, ({ audit: book }) =>
    verifyAudit({
      book,
      keys,
      heads,
      days,
      now,
      progress: (entries) => line.show(() => `Read: ${count(entries, 'entry', 'entries')}`),
    }).finally(line.clear),
  );
  const { entries, chains, keyless, unchecked, faults } = verified;
  const wrong = faults.length;
  print(
    json,
    { ok: wrong === 0, ...verified },
    ...faults
      .map(({ chain, number, ...one }) => [
        `Chain ${chain}, entry ${number}`,
        one.unique_identifier,
        one.says,
      ])
      .map((parts) => plain(parts.filter(Boolean).join(': '))),
    `${count(entries, 'entry', 'entries')} in ${count(chains, 'chain')} were read${wrong === 0 ? ': no faults' : ''}.`,
    unchecked > 0 &&
      `${unchecked.toLocaleString('en-US')} of them could not be checked but for their numbers: they were written with a key. Name it with SECRET_KEY_FILE.`,
    keyless > 0 &&
      `${keyless.toLocaleString('en-US')} of them were written without SECRET_KEY_FILE: they prove nothing about somebody who can write to the database.`,
  );
  if (unchecked > 0) process.exitCode = 2;
  if (wrong > 0) throw new Mistake(`The audit is not whole: ${count(wrong, 'fault')}.`);
}

/** The ends of chains in what `audit head` printed, in the log of the service, or in a certificate of an erasure. */
function readHeads(file: string): readonly Omit<AuditHead, 'time'>[] {
  const text = bytesOf(file).toString();
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
