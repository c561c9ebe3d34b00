/** `ledgerstone export`: everything, out of a store that is being served, by one command. */
// needs: program
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { call } from '../../support/cli-service.ts';
import { makeAccount, makeLocation, servedAccount, withAccount } from '../../support/cli-setup.ts';
import { pluck } from '../../support/pluck.ts';

async function serve() {
  const made = await servedAccount();
  const location = await makeLocation(made.url, made.secret, made.account);
  return { ...made, location };
}

describe('export', () => {
  it('writes a file for each resource, beside the service', async () => {
    const { cwd, account, location, run, mistakes } = await serve();
    const { code, stdout, stderr } = await run('export', '--out', 'all/', '--format', 'csv');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^RESOURCE +ROWS +FILE\nlocations +1 +all\/locations.csv\nevents +0 /);
    assert.match(stderr, /^Store: .*\n$/);
    assert.deepEqual(readdirSync(join(cwd, 'all')).sort(), [
      ...['direct_mail_replies.csv', 'event_administrators.csv', 'event_check_in_records.csv'],
      ...['events.csv', 'locations.csv', 'online_arrangements.csv'],
    ]);
    assert.equal(statSync(join(cwd, 'all')).mode & 0o777, 0o700);
    const [head, row, ...more] = readFileSync(join(cwd, 'all/locations.csv'), 'utf8').split('\r\n');
    assert.equal(
      head,
      'external_identifier,account_unique_identifier,location_name,_unique_identifier,_inserted_at,_updated_at',
    );
    const begins = `main-street,${account},Main Street Chapel,${location},20`;
    assert.equal(row?.slice(0, begins.length), begins);
    assert.deepEqual(more, ['']);
    await mistakes('export --out', [
      ['all --format csv', /all\/locations.csv already exists and is not overwritten/],
    ]);
  });

  it('prints one resource, and tells programs what it wrote', async () => {
    const { cwd, location, ok, json } = await serve();
    const words = ['export', '--resource', 'locations'];
    assert.equal(JSON.parse(await ok(...words))._unique_identifier, location);
    const to = [...words, '--out', 'places.xlsx'];
    const { taken_at, ...told } = await json<{ taken_at: string }>(...to);
    assert.ok(Math.abs(Date.parse(taken_at) - Date.now()) < 60_000);
    const files = [{ resource: 'locations', rows: 1, file: 'places.xlsx' }];
    assert.deepEqual(told, { format: 'xlsx', files });
    assert.equal(readFileSync(join(cwd, 'places.xlsx')).subarray(0, 2).toString(), 'PK');
    assert.equal(statSync(join(cwd, 'places.xlsx')).mode & 0o777, 0o600);
  });

  it('of several accounts goes on where a record of one does not fit, names it, and fails', async () => {
    const { cwd, url, location, secret, run, mistakes, account } = await serve();
    const other = await makeAccount(cwd);
    const theirs = await makeLocation(url, other.secret, other.account);
    const arrangement = {
      ...{ location_unique_identifier: location, external_identifier: 'long' },
      ...{ person_full_name: 'Jane Doe', person_phone_number: '+14155550123' },
      cart_summary: 'x'.repeat(32_768),
    };
    const { text } = await call(url, secret, '/v1/online_arrangements/upsert', arrangement);
    const { unique_identifier: id } = JSON.parse(text);
    const short = { ...arrangement, location_unique_identifier: theirs, cart_summary: 'Cremation' };
    await call(url, other.secret, '/v1/online_arrangements/upsert', short);
    const words = ['export', '--resource', 'online_arrangements', '--format', 'xlsx', '--out'];
    const { code, stdout, stderr } = await run(...words, 'all.xlsx');
    assert.equal(code, 1);
    assert.match(stdout, /^online_arrangements +1 +all\.xlsx$/m);
    assert.match(stderr, new RegExp(`Left out: .*cart_summary of ${id} has 32,768`));
    assert.match(stderr, /1 record is missing, and all others are there/);
    await mistakes(words.join(' '), [[`own.xlsx --account ${account}`, /32,768/]]);
    assert.equal((await run(...words, 'theirs.xlsx', '--account', other.account)).code, 0);
  });

  it('is of all open accounts, or of one', async () => {
    const { cwd, account, ok, mistakes } = await serve();
    const other = await makeAccount(cwd);
    const rows = (...words: string[]) => ok('export', '--resource', 'locations', ...words);
    assert.equal((await rows()).split('\n').length, 2);
    assert.equal(await rows('--account', other.account), '');
    await ok('accounts', 'close', account);
    assert.equal(await rows(), '');
    assert.notEqual(await rows('--account', account), '');
    await mistakes('export --resource locations', [
      ['--account acct_none', /There is no account "acct_none"/],
    ]);
  });

  it('goes on from another one', async () => {
    const { cwd, url, secret, account, location, json, mistakes } = await serve();
    const export_ = (folder: string) =>
      json<{ files: { rows: number }[]; changed_only: unknown; restarted: unknown }>(
        ...['export', '--out', `${folder}/`, '--since', 'export.state'],
      );
    const rowsIn = ({ files }: { files: readonly { rows: number }[] }) => pluck(files, 'rows');
    const first = await export_('first');
    assert.deepEqual(rowsIn(first), [1, 0, 0, 0, 0, 0, 0]);
    assert.deepEqual([first.changed_only, first.restarted], [[], []]);
    assert.equal(statSync(join(cwd, 'export.state')).mode & 0o777, 0o600);
    const other = await makeLocation(url, secret, account, 'riverside');
    await call(url, secret, `/v1/locations/${location}`, undefined, { method: 'DELETE' });
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
    await mistakes('export --since export.state', [
      ['--out third/', /third\/locations.ndjson already exists/],
    ]);
    assert.deepEqual(rowsIn(await export_('fourth')), [1, 0, 0, 0, 0, 0, 0]);
  });

  it('says what does not go together, and touches nothing', async () => {
    const { cwd, mistakes } = await withAccount();
    writeFileSync(join(cwd, 'there.csv'), 'kept');
    writeFileSync(join(cwd, 'half.csv.partial'), 'kept');
    await mistakes('export', [
      ['', /Name a folder with --out, or one resource with --resource/],
      ['--resource event', /did you mean events\?/],
      ['--resource accounts', /"ledgerstone accounts list --json"/],
      ['--resource events --json', /Name one with --out/],
      ['--out there.csv', /Name a folder/],
      ['--since x --fast', /Name a folder with --out\.$/m],
      ['--since there.csv --out x', /was not written by an export/],
      ['--resource events --out there.csv', /there.csv already exists/],
      ['--resource events --out half.csv', /half.csv.partial already exists/],
    ]);
    assert.equal(readFileSync(join(cwd, 'there.csv'), 'utf8'), 'kept');
    assert.equal(readFileSync(join(cwd, 'half.csv.partial'), 'utf8'), 'kept');
    assert.ok(!existsSync(join(cwd, 'half.csv')));
  });
});
