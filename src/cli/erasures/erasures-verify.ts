/** `ledgerstone erasures verify`: whether the certificate of an erasure is as it was issued, without a store. */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { readSealerOf } from '../../app/files.ts';
import { readSettings } from '../../core/config.ts';
import type { Json } from '../../core/schema/values.ts';
import { CERTIFICATES, faultsOf } from '../../services/erasures/certificate.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { plain, printJson, printLines } from '../output.ts';
import { withKeyOfDev } from '../service/secret-key.ts';
import { givenSettings, shortOption } from '../service/settings.ts';

/** Larger files are no certificates. */
const MAX_BYTES = 4_194_304;

export function addErasuresVerify(erasures: Command): void {
  erasures
    .command('verify')
    .description(
      'Check that the certificate of an erasure is as it was issued, and name what was changed; exits with 1 then. It needs SECRET_KEY_FILE, and no store',
    )
    .argument('<file>', 'The answer to GET /v1/erasures/{id}/certificate, or - for standard input')
    .addOption(shortOption('secret_key_file'))
    .option('--json', 'Print one JSON document')
    .examples(['ledgerstone erasures verify certificate.json', 'Check a certificate'])
    .action(async (file: string, { json }: { readonly json?: true }, command: Command) => {
      const names = ['database_url', 'secret_key_file', 'webhook_allow'] as const;
      const settings = withKeyOfDev(readSettings(givenSettings(command), undefined, names));
      const sealer = readSealerOf(settings);
      if (sealer === undefined)
        throw new Mistake(
          'Set SECRET_KEY_FILE, or --secret-key-file: only its key can check a certificate.',
        );
      const faults = faultsOf(await read(file), sealer.derived(CERTIFICATES));
      if (json) printJson({ ok: faults.length === 0, faults });
      else if (faults.length === 0) printLines('The certificate is as it was issued.');
      else printLines(...faults.map(plain));
      if (faults.length > 0) throw new Mistake('The certificate cannot be relied on.');
    });
}

async function read(file: string): Promise<Json> {
  let content: string;
  try {
    content = file === '-' ? await text(process.stdin) : readFileSync(file, 'utf8');
  } catch (error) {
    throw new Mistake(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  try {
    if (content.length <= MAX_BYTES) return JSON.parse(content) as Json;
  } catch {
    // Said below.
  }
  throw new Mistake(`${file} is not JSON: save the answer as it arrived.`);
}
