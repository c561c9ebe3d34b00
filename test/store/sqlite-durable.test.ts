/** A commit is on disk before anybody is told of it or can read it: seen on a disk whose syncs take long. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sqliteGround } from '../support/store-sqlite.ts';

const SYNC_MS = 300;
const SHIM = join(import.meta.dirname, '../../bench/slow-disk.c');
const CHILD = join(import.meta.dirname, '../support/store-slow-disk.ts');

const compiles =
  process.platform === 'linux' && spawnSync('cc', ['--version'], { stdio: 'ignore' }).status === 0;

describe('A SQLite store', () => {
  it('shows nothing of a commit, and answers nothing, before the disk has it', {
    skip: compiles ? false : 'there is no C compiler (cc) that makes the slow disk',
  }, async (test) => {
    const { url, folder } = await sqliteGround(test);
    const library = join(folder, 'slow-disk.so');
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, SHIM, '-ldl']);
    const output = execFileSync(process.execPath, [CHILD, url], {
      encoding: 'utf8',
      env: { ...process.env, LD_PRELOAD: library, SLOW_DISK_US: String(SYNC_MS * 1_000) },
    });
    const { answered, seen, looks } = JSON.parse(output);
    assert.ok(looks > 10, `${looks} looks while the disk worked`);
    assert.ok(seen >= SYNC_MS, `seen after ${seen} ms`);
    assert.ok(answered >= SYNC_MS, `answered after ${answered} ms`);
  });
});
