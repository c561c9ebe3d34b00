/** The register is asked, entered and lifted on the command line, and a list is entered from a file. */
// needs: program
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { servedAccount } from '../../support/cli-setup.ts';

it('ledgerstone do-not-contact enters, asks, and lifts', async () => {
  const { account, run, json } = await servedAccount();
  const own = ['--account', account];
  const { unique_identifier: id } = await json<{ unique_identifier: string }>(
    ...['do-not-contact', 'create', ...own, '--phone-number', '4155550123', '--json'],
  );
  const asked = () => run('do-not-contact', 'list', ...own, '--phone-number', '(415) 555-0123');
  assert.match((await asked()).stdout, new RegExp(`${id} +phone +\\+14155550123`));
  const lifted = await run('do-not-contact', 'lift', id, '--reason', 'they called');
  assert.match(lifted.stdout, /may be contacted again/);
  assert.match((await asked()).stdout, /Nobody is in the register/);
  const file = join(tmpdir(), `list-${process.pid}.csv`);
  const many = Array.from({ length: 1_500 }, (_, at) => `+1415${1_000_000 + at},Jane`);
  writeFileSync(file, ['phone,name', ...many, 'jane@example.org'].join('\n'));
  const entered = await run(
    ...['do-not-contact', 'import', ...own, '--file', file, '--reason', 'a provider'],
  );
  assert.match(entered.stdout, /Entered 1,501 phone numbers/);
  assert.match(entered.stdout, /Refused 1 line.*\n *phone/);
  const missing = await run('do-not-contact', 'import', ...own);
  assert.match(missing.stderr, /--file is required/);
});
