/** Operators see who sends, name it with a key, rename it and merge it. */
// needs: program
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { serveHere } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';

describe('ledgerstone sources', () => {
  it('are listed, renamed and merged while the service runs, and named by the history', async (t) => {
    const cwd = ownFolder(t);
    const { url } = await serveHere(t, { cwd });
    const { account } = await makeAccount(cwd);
    const { run: program } = programIn(cwd);
    const key = async (...more: readonly string[]) => {
      const made = await program('keys', 'create', '--account', account, '--json', ...more);
      assert.equal(made.code, 0, made.stderr);
      return JSON.parse(made.stdout);
    };
    const first = await key('--name', 'Nightly', '--source', 'Passare');
    const second = await key('--name', 'Tablet');
    const id = await makeLocation(url, first.secret, account, 'oak');
    await makeLocation(url, second.secret, account, 'elm');
    const sources = async () => {
      const found = await program('sources', 'list', '--account', account, '--json');
      assert.equal(found.code, 0, found.stderr);
      return JSON.parse(found.stdout);
    };
    const [passare, tablet, ...others] = await sources();
    assert.deepEqual([passare.name, passare.keys], ['Passare', [first.unique_identifier]]);
    assert.deepEqual([tablet.name, tablet.keys], ['Tablet', [second.unique_identifier]]);
    assert.deepEqual(others, []);
    const shown = await program('sources', 'list');
    assert.match(shown.stdout, /Passare +key_/);
    const history = await program('records', 'history', id);
    assert.match(history.stdout, /Nightly \(Passare\)/);

    const wrong = await program('sources', 'change', tablet.unique_identifier, '--name', 'Passare');
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /--name is that of another source/);
    const renamed = await program('sources', 'change', tablet.unique_identifier, '--name', 'Desk');
    assert.match(renamed.stdout, /^src_\w+ is called Desk\.$/m);
    const into = passare.unique_identifier;
    const merged = await program('sources', 'merge', tablet.unique_identifier, '--into', into);
    assert.match(merged.stdout, / is part of Passare \(src_/, merged.stderr);
    const [one, ...rest] = await sources();
    assert.deepEqual([one.keys.length, rest], [2, []]);

    const old = first.unique_identifier;
    const rotated = await program('keys', 'rotate', old, '--json');
    assert.equal(rotated.code, 0, rotated.stderr);
    const [{ keys }] = await sources();
    assert.ok(keys.includes(JSON.parse(rotated.stdout).unique_identifier), `${keys}`);
    writeFileSync(
      join(cwd, 'locations.csv'),
      'external_identifier,location_name\nash,Ash Chapel\n',
    );
    const words = ['import', 'locations.csv', '--source', 'County export'];
    const several = await program('accounts', 'create', '--name', 'Them');
    assert.equal(several.code, 0, several.stderr);
    const nowhere = await program(...words);
    assert.equal(nowhere.code, 1);
    assert.match(nowhere.stderr, /--source needs --account/);
    const imported = await program(...words, '--account', account);
    assert.equal(imported.code, 0, imported.stderr);
    assert.deepEqual(
      (await sources()).map((each: { name: string }) => each.name),
      ['Passare', 'County export'],
    );
    const blank = await program('keys', 'create', '--account', account, '--source', ' ');
    assert.equal(blank.code, 1);
    assert.match(blank.stderr, /--source must not be blank/);
  });
});
