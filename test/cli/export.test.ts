/** `ledgerstone export`: everything, out of a store that is being served, by one command. */
// needs: program
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ownFolder, programIn, run } from '../support/cli-program.ts';
import { serveHere } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';

async function serve() {
  const cwd = ownFolder();
  const made = await makeAccount(cwd);
  const { url } = await serveHere({ cwd });
  const location = await makeLocation(url, made.secret, made.account);
  return { cwd, ...made, url, location };
}

/** What the program says to someone who asked for something that cannot be. */
async function mistake(cwd: string, ...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(['export', ...words], { cwd });
  assert.equal(code, 1);
  assert.equal(stdout, '');
  return stderr;
}

describe('export', () => {
  it('writes a file for each resource, beside the service', async () => {
    const { cwd, account, location } = await serve();
    const { code, stdout, stderr } = await run(['export', '--out', 'all/', '--format', 'csv'], {
      cwd,
    });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^RESOURCE +ROWS +FILE\nlocations +1 +all\/locations.csv\nevents +0 /);
    assert.match(stderr, /^Store: .*\n$/);
    assert.deepEqual(readdirSync(join(cwd, 'all')).sort(), [
      'direct_mail_replies.csv',
      'event_administrators.csv',
      'event_check_in_records.csv',
      'events.csv',
      'locations.csv',
      'online_arrangements.csv',
    ]);
    assert.equal(statSync(join(cwd, 'all')).mode & 0o777, 0o700);
    const [head, row, ...more] = readFileSync(join(cwd, 'all/locations.csv'), 'utf8').split('\r\n');
    assert.equal(
      head,
      'external_identifier,account_unique_identifier,location_name,_unique_identifier,_inserted_at,_updated_at',
    );
    assert.match(
      row ?? '',
      new RegExp(`^main-street,${account},Main Street Chapel,${location},20`),
    );
    assert.deepEqual(more, ['']);
    assert.match(
      await mistake(cwd, '--out', 'all', '--format', 'csv'),
      /all\/locations.csv already exists and is not overwritten/,
    );
  });

  it('prints one resource, and tells programs what it wrote', async () => {
    const { cwd, location } = await serve();
    const printed = await run(['export', '--resource', 'locations'], { cwd });
    assert.equal(printed.code, 0, printed.stderr);
    assert.equal(JSON.parse(printed.stdout)._unique_identifier, location);
    const words = ['export', '--resource', 'locations', '--out', 'places.xlsx', '--json'];
    const { stdout } = await run(words, { cwd });
    const { taken_at, ...told } = JSON.parse(stdout);
    assert.ok(Math.abs(Date.parse(taken_at) - Date.now()) < 60_000);
    assert.deepEqual(told, {
      format: 'xlsx',
      files: [{ resource: 'locations', rows: 1, file: 'places.xlsx' }],
    });
    assert.equal(readFileSync(join(cwd, 'places.xlsx')).subarray(0, 2).toString(), 'PK');
    assert.equal(statSync(join(cwd, 'places.xlsx')).mode & 0o777, 0o600);
  });

  it('is of all open accounts, or of one', async () => {
    const { cwd, account } = await serve();
    const other = await makeAccount(cwd);
    const rows = async (...words: readonly string[]) =>
      (await run(['export', '--resource', 'locations', ...words], { cwd })).stdout;
    assert.equal((await rows()).split('\n').length, 2);
    assert.equal(await rows('--account', other.account), '');
    await run(['accounts', 'close', account], { cwd });
    assert.equal(await rows(), '');
    assert.notEqual(await rows('--account', account), '');
    assert.match(
      await mistake(cwd, '--resource', 'locations', '--account', 'acct_none'),
      /There is no account "acct_none"/,
    );
  });

  it('goes on from another one', async () => {
    const { cwd, url, secret, account, location } = await serve();
    const export_ = async (folder: string) => {
      const words = ['export', '--out', `${folder}/`, '--since', 'export.state', '--json'];
      const stdout = await programIn(cwd).ok(...words);
      return JSON.parse(stdout);
    };
    const rowsIn = ({ files }: { files: readonly { rows: number }[] }) =>
      files.map(({ rows }) => rows);
    const first = await export_('first');
    assert.deepEqual(rowsIn(first), [1, 0, 0, 0, 0, 0, 0]);
    assert.deepEqual([first.changed_only, first.restarted], [[], []]);
    assert.equal(statSync(join(cwd, 'export.state')).mode & 0o777, 0o600);
    const other = await makeLocation(url, secret, account, 'riverside');
    await fetch(`${url}/v1/locations/${location}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${secret}` },
    });
    const second = await export_('second');
    assert.deepEqual(second.changed_only, [account]);
    assert.deepEqual(rowsIn(second), [1, 0, 0, 0, 0, 0, 1]);
    const read = (name: string) => JSON.parse(readFileSync(join(cwd, 'second', name), 'utf8'));
    assert.equal(read('locations.ndjson')._unique_identifier, other);
    const { _removed_at, ...removed } = read('removed.ndjson');
    assert.deepEqual(removed, { _resource: 'locations', _unique_identifier: location });
    assert.deepEqual(rowsIn(await export_('third')), [0, 0, 0, 0, 0, 0, 0]);
    // What could not be written is told the next time.
    await makeLocation(url, secret, account, 'third');
    assert.match(
      await mistake(cwd, '--out', 'third/', '--since', 'export.state'),
      /third\/locations.ndjson already exists/,
    );
    assert.deepEqual(rowsIn(await export_('fourth')), [1, 0, 0, 0, 0, 0, 0]);
  });

  it('says what does not go together, and touches nothing', async () => {
    const cwd = ownFolder();
    await makeAccount(cwd);
    writeFileSync(join(cwd, 'there.csv'), 'kept');
    writeFileSync(join(cwd, 'half.csv.partial'), 'kept');
    assert.match(await mistake(cwd), /Name a folder with --out, or one resource with --resource/);
    assert.match(await mistake(cwd, '--resource', 'event'), /did you mean events\?/);
    assert.match(
      await mistake(cwd, '--resource', 'accounts'),
      /"ledgerstone accounts list --json"/,
    );
    assert.match(await mistake(cwd, '--resource', 'events', '--json'), /Name one with --out/);
    assert.match(await mistake(cwd, '--out', 'there.csv'), /Name a folder/);
    assert.match(await mistake(cwd, '--since', 'x', '--fast'), /Name a folder with --out\.$/m);
    assert.match(
      await mistake(cwd, '--since', 'there.csv', '--out', 'x'),
      /was not written by an export/,
    );
    const one = ['--resource', 'events', '--out'];
    assert.match(await mistake(cwd, ...one, 'there.csv'), /there.csv already exists/);
    assert.match(await mistake(cwd, ...one, 'half.csv'), /half.csv.partial already exists/);
    assert.equal(readFileSync(join(cwd, 'there.csv'), 'utf8'), 'kept');
    assert.equal(readFileSync(join(cwd, 'half.csv.partial'), 'utf8'), 'kept');
    assert.ok(!existsSync(join(cwd, 'half.csv')));
  });
});
