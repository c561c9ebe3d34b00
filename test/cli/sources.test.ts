/** Operators see who sends, name it with a key, rename it and merge it. */
// needs: program
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeLocation, servedAccount } from '../support/cli-setup.ts';

describe('ledgerstone sources', () => {
  it('are listed, renamed and merged while the service runs, and named by the history', async () => {
    const { cwd, account, url, run: program, fails, ok } = await servedAccount();
    const key = async (...more: readonly string[]) => {
      const made = await ok('keys', 'create', '--account', account, '--json', ...more);
      return JSON.parse(made);
    };
    const first = await key('--name', 'Nightly', '--source', 'Passare');
    const second = await key('--name', 'Tablet');
    const id = await makeLocation(url, first.secret, account, 'oak');
    await makeLocation(url, second.secret, account, 'elm');
    const sources = async () => {
      const found = await ok('sources', 'list', '--account', account, '--json');
      return JSON.parse(found);
    };
    const [passare, tablet, ...others] = await sources();
    assert.deepEqual([passare.name, passare.keys], ['Passare', [first.unique_identifier]]);
    assert.deepEqual([tablet.name, tablet.keys], ['Tablet', [second.unique_identifier]]);
    assert.deepEqual(others, []);
    assert.match((await program('sources', 'list')).stdout, /Passare +key_/);
    assert.match((await program('records', 'history', id)).stdout, /Nightly \(Passare\)/);

    const wrong = await fails('sources', 'change', tablet.unique_identifier, '--name', 'Passare');
    assert.match(wrong, /--name is that of another source/);
    const told = await ok('sources', 'change', tablet.unique_identifier, '--name', 'Desk');
    assert.match(told, /^src_\w+ is called Desk\.$/m);
    const into = passare.unique_identifier;
    const shown = await ok('sources', 'merge', tablet.unique_identifier, '--into', into);
    assert.match(shown, / is part of Passare \(src_/);
    const [one, ...rest] = await sources();
    assert.deepEqual([one.keys.length, rest], [2, []]);

    const old = first.unique_identifier;
    const rotated = await ok('keys', 'rotate', old, '--json');
    const [{ keys }] = await sources();
    assert.ok(keys.includes(JSON.parse(rotated).unique_identifier), `${keys}`);
    writeFileSync(
      join(cwd, 'locations.csv'),
      'external_identifier,location_name\nash,Ash Chapel\n',
    );
    const words = ['import', 'locations.csv', '--source', 'County export'];
    await ok('accounts', 'create', '--name', 'Them');
    assert.match(await fails(...words), /--source needs --account/);
    await ok(...words, '--account', account);
    const seen = (await sources()).map((each: { name: string }) => each.name);
    assert.deepEqual(seen, ['Passare', 'County export']);
    const refused = await fails('keys', 'create', '--account', account, '--source', ' ');
    assert.match(refused, /--source must not be blank/);
  });
});
