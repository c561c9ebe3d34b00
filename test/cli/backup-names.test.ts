/** A file that only has the name of a backup counts as none: for --keep, restore, verify and the doctor. */
// needs: program
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileName } from '../../src/services/backup/file.ts';
import { type FindStore, onEachStore } from '../support/cli-postgres.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { nextSecond } from '../support/next-second.ts';

interface Written {
  readonly file: string;
  readonly taken_at: string;
  readonly removed: readonly string[];
}

const DAY_MS = 86_400_000;

/** What is put at the place of a backup, made of a whole one. */
const NO_BACKUPS: Readonly<Record<string, (path: string, whole: Buffer) => void>> = {
  'an empty file': (path) => writeFileSync(path, ''),
  'a text': (path) => writeFileSync(path, '<html>413 Request Entity Too Large</html>'),
  'a copy that broke off': (path, whole) => writeFileSync(path, whole.subarray(0, -41)),
  'a copy of which only the beginning arrived': (path, whole) =>
    writeFileSync(path, whole.subarray(0, 200)),
  'room that was never written': (path, whole) =>
    writeFileSync(path, Buffer.concat([whole.subarray(0, 200), Buffer.alloc(whole.length)])),
  'a folder': (path) => mkdirSync(path),
};

/** Looks whole at both ends. */
function withoutMiddle(path: string, whole: Buffer): void {
  const bytes = Buffer.from(whole);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

/** The end of the day of a time, in UTC. */
const evening = (time: string): number => Date.parse(`${time.slice(0, 10)}T23:59:58Z`);

function promises(findStore: FindStore): void {
  for (const [what, put] of Object.entries(NO_BACKUPS))
    it(`${what}, of whatever time, takes the place of no backup`, async () => {
      const folder = ownFolder();
      const program = programIn(ownFolder(), await findStore());
      await program.json('accounts', 'create', '--name', 'Kept', '--test');
      const first = await program.json<Written>('backup', folder);
      const whole = readFileSync(first.file);
      const today = evening(first.taken_at);
      const names = [today, today + 30 * DAY_MS, today - 5 * DAY_MS, today - DAY_MS].map(fileName);
      for (const name of names) put(join(folder, name), whole);
      await nextSecond();
      const { stderr } = await program.run('backup', folder, '--keep', '7d,4w,12m');
      for (const name of names) assert.ok(stderr.includes(name), stderr);
      const { removed, taken_at } = await (async () => {
        await nextSecond();
        return program.json<Written>('backup', folder, '--keep', '1d');
      })();
      assert.ok(removed.every((name) => !names.includes(name)));
      for (const name of names) assert.ok(existsSync(join(folder, name)), name);
      assert.equal(readdirSync(folder).filter((name) => !names.includes(name)).length, 1);

      const there = programIn(ownFolder());
      const restored = await there.run('restore', folder, '--json');
      assert.equal(restored.code, 0, restored.stderr);
      assert.equal(JSON.parse(restored.stdout).taken_at, taken_at);
      assert.ok(restored.stderr.includes(names[1] ?? ''), restored.stderr);
      const checked = await program.json<Written>('restore', '--check', folder);
      assert.equal(checked.taken_at, taken_at);
      const { stdout } = await program.run('doctor');
      assert.match(stdout, /^warning +backup folder: .*have the name of a backup/m);
    });

  it('a backup that is damaged within takes the place of none of its day, nor is it restored', async () => {
    const folder = ownFolder();
    const program = programIn(ownFolder(), await findStore());
    await program.json('accounts', 'create', '--name', 'Kept', '--test');
    const sound = await program.json<Written>('backup', folder);
    await nextSecond();
    await program.json('accounts', 'create', '--name', 'Later', '--test');
    const later = await program.json<Written>('backup', folder);
    withoutMiddle(later.file, readFileSync(later.file));
    const there = programIn(ownFolder());
    const { code, stdout, stderr } = await there.run('restore', folder, '--json');
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).taken_at, sound.taken_at);
    assert.ok(stderr.includes(later.file.split('/').at(-1) ?? ''), stderr);
    const checked = await program.run('restore', '--check', folder);
    assert.equal(checked.code, 2, 'a check says it by its exit status');
    assert.ok(checked.stderr.includes(later.file.split('/').at(-1) ?? ''), checked.stderr);
  });
}

onEachStore(promises);
