/** A commit is on disk before anybody is told of it or can read it: seen on a disk whose syncs take long. */
// needs: waits, long
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { place, shapes } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { within } from '../support/store-world.ts';

const SYNC_MS = 300;
const SLOW = join(import.meta.dirname, '../../bench/slow-disk.c');
const FAILING = join(import.meta.dirname, '../support/failing-disk.c');

const compiles =
  process.platform === 'linux' && spawnSync('cc', ['--version'], { stdio: 'ignore' }).status === 0;
const skip = compiles ? false : 'there is no C compiler (cc) that makes such a disk';

/** What a program of `test/support` prints that runs on a disk made by the library of that source. */
function runOn(
  disk: string,
  folder: string,
  program: string,
  args: string[],
  set: NodeJS.ProcessEnv,
) {
  const library = join(folder, 'disk.so');
  const made = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, disk, '-ldl']);
  assert.equal(made.status, 0, String(made.stderr));
  const path = join(import.meta.dirname, '../support', program);
  const env = { ...process.env, LD_PRELOAD: library, ...set };
  const { stdout, stderr } = spawnSync(process.execPath, [path, ...args], {
    encoding: 'utf8',
    env,
  });
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout);
}

describe('A SQLite store', () => {
  it('shows nothing of a commit, and answers nothing, before the disk has it', {
    skip,
  }, async () => {
    const { url, folder } = await sqliteGround();
    const { answered, seen, looks } = runOn(SLOW, folder, 'store-slow-disk.ts', [url], {
      SLOW_DISK_US: String(SYNC_MS * 1_000),
    });
    assert.ok(looks > 0, 'nobody looked while the disk worked');
    assert.ok(seen >= SYNC_MS, `seen after ${seen} ms`);
    assert.ok(answered >= SYNC_MS, `answered after ${answered} ms`);
  });

  it('shows nothing of a log that the process before left, before the disk has the log and its name', {
    skip,
  }, async () => {
    const { url, folder, path } = await sqliteGround();
    const flag = join(folder, 'the disk fails');
    const set = { FAILING_DISK: flag };
    runOn(FAILING, folder, 'store-failing-disk.ts', [url, `${flag} elsewhere`, 'to the end'], set);
    assert.ok(statSync(`${path}-wal`).size > 0, 'killed with a log');
    for (const suffix of ['', '.folders']) {
      writeFileSync(`${flag}${suffix}`, '');
      const { error, message } = runOn(FAILING, folder, 'store-opening.ts', [url], set);
      assert.equal(error, 'StoreUnusable');
      assert.match(message, /^The store at .* cannot be opened: the disk gave an error/);
      rmSync(`${flag}${suffix}`);
    }
    assert.equal(runOn(FAILING, folder, 'store-opening.ts', [url], set).error, 'none');
  });

  it('is made, opened and backed up where the file system syncs files, but no folders', {
    skip,
  }, async () => {
    const { url, folder } = await sqliteGround();
    const flag = join(folder, 'the disk fails');
    const set = { FAILING_DISK: flag };
    writeFileSync(`${flag}.unoffered`, '');
    const made = [url, `${flag} elsewhere`, 'for a while'];
    const { before, after } = runOn(FAILING, folder, 'store-failing-disk.ts', made, set);
    assert.deepEqual([before, after], ['created', 'created']);
    assert.equal(runOn(FAILING, folder, 'store-opening.ts', [url], set).error, 'none');
    const backup = spawnSync(
      process.execPath,
      [join(import.meta.dirname, '../../src/main.ts'), 'backup', join(folder, 'a.backup')],
      {
        encoding: 'utf8',
        env: {
          ...process.env,
          ...set,
          LD_PRELOAD: join(folder, 'disk.so'),
          DATABASE_URL: url,
        },
      },
    );
    assert.equal(backup.status, 0, backup.stderr);
    assert.match(backup.stderr, /does not sync the names in a folder \(EINVAL\)/);
  });

  const failing = [
    {
      how: 'for a while',
      sentence:
        'says that nobody can tell of a commit while no sync goes well, and goes on when the disk does',
      outcomes: { before: 'created', during: 'StoreUnsure', seen: 1, after: 'created' },
      left: ['after', 'before'],
    },
    {
      how: 'once',
      sentence: 'takes a commit back whose sync fails, for good: a crash does not bring it back',
      outcomes: { before: 'created', during: 'StoreUnavailable', seen: 1 },
      left: ['before'],
    },
    {
      how: 'to the end',
      sentence: 'takes a commit back as far as it can where no sync goes well any more',
      outcomes: { before: 'created', during: 'StoreUnsure', seen: 1 },
      left: ['before'],
    },
  ];
  for (const { how, sentence, outcomes, left } of failing) {
    it(sentence, { skip }, async () => {
      const { url, folder } = await sqliteGround();
      const flag = join(folder, 'the disk fails');
      const told = runOn(FAILING, folder, 'store-failing-disk.ts', [url, flag, how], {
        FAILING_DISK: flag,
      });
      const { account, ...rest } = told;
      assert.deepEqual(rest, outcomes);
      const store = await openStore({ url, shapes, create: false, serve: true });
      const query = {
        shape: place,
        scope: within(account),
        order: { key: 'title' },
        limit: 9,
      } as const;
      const names = (await store.list(query)).records.map((record) => record.external_identifier);
      await store.close();
      assert.deepEqual(names, left);
    });
  }
});
