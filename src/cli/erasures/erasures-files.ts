/** Commands on files of erasures: a certificate, and a journal that a store lacks. */
import { existsSync } from 'node:fs';
import type { Json } from '../../core/schema/values.ts';
import { CERTIFICATES, faultsOf } from '../../services/erasures/certificate.ts';
import { bytesOf } from '../given.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { count, plain, print } from '../output.ts';
import { shortOption } from '../service/settings.ts';
import { sealerOf, withStore } from '../store.ts';
import { journalFor } from './journal-for.ts';

const MAX_CERTIFICATE_MIB = 4;

export function addErasuresVerify(erasures: Command): void {
  erasures
    .command('verify')
    .description(
      'Check that the certificate of an erasure is as it was issued, and name what was changed; exits with 1 then. It needs SECRET_KEY_FILE, and no store',
    )
    .argument('<file>', 'The answer to GET /v1/erasures/{id}/certificate, or - for standard input')
    .addOption(shortOption('secret_key_file'))
    .option('--json', 'Print one JSON document')
    .examples({ 'ledgerstone erasures verify certificate.json': 'Check a certificate' })
    .action(async (file: string, { json }: { readonly json?: true }, command: Command) => {
      const sealer = sealerOf(command);
      if (sealer === undefined)
        throw new Mistake(
          'Set SECRET_KEY_FILE, or --secret-key-file: only its key can check a certificate.',
        );
      const faults = faultsOf(read(file), sealer.derived(CERTIFICATES));
      const ok = faults.length === 0;
      const lines = ok ? ['The certificate is as it was issued.'] : faults.map(plain);
      print(json, { ok, faults }, ...lines);
      if (!ok) throw new Mistake('The certificate cannot be relied on.');
    });
}

function read(file: string): Json {
  const content = bytesOf(file, MAX_CERTIFICATE_MIB).toString();
  try {
    return JSON.parse(content) as Json;
  } catch {
    throw new Mistake(`${file} is not JSON: save the answer as it arrived.`);
  }
}

export function addErasuresApply(erasures: Command): void {
  (erasures.command('apply <file>') as Command)
    .description(
      'Erase again what a store that was set back holds, as its journal of erasures says; a service that has the journal does that by itself',
    )
    .addOption(shortOption('secret_key_file'))
    .option('--accept-missing-lines', ACCEPT)
    .option('--json', 'Print JSON')
    .examples({
      'ledgerstone erasures apply /mnt/backups/erasures.ndjson':
        'After the store was replaced by an older copy',
    })
    .action(async (file: string, { json, acceptMissingLines = false }: Apply, command: Command) => {
      if (!existsSync(file)) throw new Mistake(`The file ${file} does not exist.`);
      await withStore(command, { threads: true }, async (store) => {
        const journal = await journalFor(command, store);
        await journal.take(file, acceptMissingLines);
        const applied = await journal.apply();
        const left = (await store.journal.unapplied(MAX_LINES)).length;
        if (left > 0) process.exitCode = 2;
        print(
          json,
          { applied, left },
          ...(applied === 0 ? ['The store lacks nothing of the journal.'] : appliedWords(applied)),
          ...(left === 0 ? [] : [`${count(left, 'line')} wait for a hold to be released.`]),
        );
      });
    });
}

interface Apply {
  readonly json?: true;
  readonly acceptMissingLines?: boolean;
}

/** Says what the option does that takes a journal as it is left. */
export const ACCEPT =
  'Apply a journal of which lines are missing, where there is no whole copy: who was erased by those is not erased again';

const MAX_LINES = 1_000_000;

/** A command's report on lines that it has applied. */
export function appliedWords(lines: number): readonly string[] {
  if (lines === 0) return [];
  return [
    `Applied ${count(lines, 'line')} of the journal of erasures: who was erased since is not in the store.`,
    'The service reads every place again when it runs. Erasures that the store did not know are back without their reference: the journal has identifiers only.',
  ];
}
