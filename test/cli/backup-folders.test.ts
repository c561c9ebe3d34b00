/** A folder of backups used by several stores, clocks and releases: nothing of it is lost, and nothing wrong is restored. */
// needs: program
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileName } from '../../src/services/backup/file.ts';
import { followedName } from '../../src/services/backup/folder/chain.ts';
import { restamped } from '../support/backups.ts';
import { type FindStore, onEachStore } from '../support/cli-postgres.ts';
import { ownFolder, programIn, start } from '../support/cli-program.ts';
import { nextSecond } from '../support/next-second.ts';
import { until } from '../support/until.ts';

interface Written {
  readonly file: string;
  readonly taken_at: string;
  readonly removed: readonly string[];
}

const KEEP = ['--keep', '7d,4w,12m'];

/** As if the clock had been ahead when it was written. */
async function ahead(folder: string, { file, taken_at }: Written): Promise<void> {
  const moment = Date.parse(taken_at) + 30 * 86_400_000;
  const words = { taken_at: new Date(moment).toISOString() };
  const bytes = await restamped(readFileSync(file), words);
  rmSync(file);
  writeFileSync(join(folder, fileName(moment)), bytes);
}

function promises(findStore: FindStore): void {
  it('a backup from a clock that was ahead hides none that was made later', async () => {
    const folder = ownFolder();
    const program = programIn(ownFolder(), await findStore());
    await program.json('accounts', 'create', '--name', 'Before', '--test');
    const first = await program.json<Written>('backup', folder, ...KEEP);
    await ahead(folder, first);
    await program.json('accounts', 'create', '--name', 'After', '--test');
    await nextSecond();
    const { taken_at, removed } = await program.json<Written>('backup', folder, ...KEEP);
    assert.deepEqual(removed, []);
    const checked = await program.json<Written>('restore', '--check', folder);
    assert.equal(checked.taken_at, taken_at);
    assert.match((await program.run('doctor')).stdout, /still to come/);
    const other = programIn(ownFolder());
    await other.json('restore', folder);
    assert.match(await other.ok('accounts', 'list'), /After/);
    // Where it is the only one, its time is said.
    rmSync(join(folder, fileName(Date.parse(taken_at))));
    assert.match(await programIn(ownFolder()).ok('restore', folder), /still to come/);
    assert.match(await program.ok('restore', '--check', folder), /still to come/);
  });

  it('of a folder of moments, the doctor names those files alone that a clock dated ahead', async () => {
    const folder = ownFolder();
    const here = { cwd: ownFolder(), env: await findStore() };
    const program = programIn(here.cwd, here.env);
    await program.json('accounts', 'create', '--name', 'Followed', '--test');
    await program.json('backup', folder);
    const following = start(['backup', '--follow', folder], here, { stdio: 'ignore' });
    const wholes = () => readdirSync(folder).filter((name) => name.endsWith('-whole.ndjson.zst'));
    await until(() => wholes().length === 1);
    following.kill('SIGTERM');
    await once(following, 'exit');
    const [whole = ''] = wholes();
    const moment = Date.now() + 30 * 86_400_000;
    const words = { taken_at: new Date(moment).toISOString() };
    const later = followedName({ number: 999, moment, whole: false });
    writeFileSync(join(folder, later), await restamped(readFileSync(join(folder, whole)), words));
    const { stdout } = await program.run('doctor');
    assert.ok(stdout.includes(`the time of ${later} in`), stdout);
  });

  it('stores that share a folder lose nothing, and are told apart', async () => {
    const folder = ownFolder();
    const stores = [programIn(ownFolder(), await findStore()), programIn(ownFolder())];
    const names = ['Live', 'Trial'];
    for (const [at, store] of stores.entries())
      await store.json('accounts', 'create', '--name', names[at] ?? '', '--test');
    const [live, trial] = stores as [(typeof stores)[number], (typeof stores)[number]];
    for (const _ of [1, 2]) {
      for (const store of stores) {
        await store.json('backup', folder, ...KEEP);
        await nextSecond();
      }
    }
    assert.equal(readdirSync(folder).length, 2);
    const said = await trial.run('backup', folder, ...KEEP);
    assert.match(said.stderr, /has backups of other stores, too.*"Live"/);
    assert.match((await live.run('doctor')).stdout, /backup folder: .*"Trial"/);
    // Which one is meant it cannot know: it takes the newest, says which, and how to have another one.
    const newest = programIn(ownFolder());
    const told = await newest.run('restore', folder);
    assert.equal(told.code, 0, told.stderr);
    assert.match(await newest.ok('accounts', 'list'), /Trial/);
    const words = told.stdout + told.stderr;
    assert.match(words, /if you want one of them, name it with --store/);
    const [id] = /str_\w+(?=, with the account "Live")/.exec(words) ?? [];
    assert.ok(id !== undefined, words);
    const atTime = await programIn(ownFolder()).run('restore', folder, '--at', '0s');
    assert.equal(atTime.code, 1);
    const other = programIn(ownFolder());
    await other.json('restore', folder, '--store', id);
    assert.match(await other.ok('accounts', 'list'), /Live/);
    // The settings say which one the check is for.
    assert.equal((await live.json<{ store: string }>('restore', '--check', folder)).store, id);

    // A restored copy is a store of its own.
    await nextSecond();
    await other.json('accounts', 'create', '--name', 'Of the copy', '--test');
    const { removed } = await other.json<Written>('backup', folder, '--keep', '1d');
    assert.deepEqual(removed, []);
    await nextSecond();
    await live.json('backup', folder, ...KEEP);
    const last = await live.json<{ store: string }>('restore', '--check', folder);
    assert.equal(last.store, id);
  });

  it('what a later release wrote names it, and the last backup from before is kept', async () => {
    const folder = ownFolder();
    const program = programIn(ownFolder(), await findStore());
    await program.json('accounts', 'create', '--name', 'Before', '--test');
    const before = await program.json<Written>('backup', folder, ...KEEP);
    await nextSecond();
    const after = await program.json<Written>('backup', folder);
    const newer = await restamped(readFileSync(after.file), { version: '1.9.0' });
    writeFileSync(after.file, newer);
    const alone = join(ownFolder(), 'b');
    copyFileSync(after.file, alone);
    const mistake = /1\.9\.0.*use 1\.9\.0 or a later version/;
    for (const command of ['restore', 'restore --check', 'verify']) {
      for (const file of [folder, alone]) {
        const { code, stdout, stderr } = await programIn(ownFolder()).run(
          ...command.split(' '),
          file,
        );
        assert.equal(code, 1, command);
        assert.match(stdout + stderr, mistake, command);
      }
    }
    const { stderr } = await programIn(ownFolder()).run('restore', folder);
    const [, way = ''] = /run "ledgerstone restore (.+?)"/.exec(stderr) ?? [];
    assert.equal(way, before.file);
    await nextSecond();
    const { removed } = await program.json<Written>('backup', folder, ...KEEP);
    assert.ok(!removed.some((name) => before.file.endsWith(name)));
    await programIn(ownFolder()).json('restore', way);
  });
}

await onEachStore(promises);
