/** Disks of copies of the journal that hang keep nobody from signing in, and a process from nothing, not even from ending. */
// needs: --ci, waits
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { scrypt } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { CopyUnreachable, createJournalCopy } from '../../src/services/erasures/journal-copy.ts';
import { ownFolder } from '../support/cli-program.ts';
import { childrenOf } from '../support/process-tree.ts';
import { until } from '../support/until.ts';

/** More than a process has threads for files, names and passwords. */
const MANY = 6;
const skip = process.platform === 'win32' ? 'there are no named pipes in folders' : false;

/** A journal that is never read to its end, as on a disk whose server is gone. */
function hanging(): string {
  const folder = ownFolder();
  execFileSync('mkfifo', [join(folder, 'erasures.ndjson')]);
  return folder;
}

it('passwords are worked on while disks hang, and a disk that answers again is used', {
  skip,
}, async () => {
  const folders = Array.from({ length: MANY }, hanging);
  const copies = folders.map((folder) => createJournalCopy(folder, { after: async () => [] }));
  const compared = copies.map((copy) => copy.compare());
  const outcomes = Promise.allSettled(compared);
  const first = await Promise.race([
    outcomes.then(() => 'all were given up'),
    promisify(scrypt)('a password', 'salt', 32).then(() => 'a password was worked on'),
  ]);
  assert.equal(first, 'a password was worked on');
  for (const one of await outcomes) {
    assert.equal(one.status, 'rejected');
    assert.ok(one.reason instanceof CopyUnreachable, String(one.reason));
    assert.match(one.reason.message, /its disk does not answer\.$/);
  }
  const [folder = '', copy = copies[0]] = [folders[0]];
  rmSync(join(folder, 'erasures.ndjson'));
  writeFileSync(join(folder, 'erasures.ndjson'), '');
  await until(async () => (await copy?.compare().catch(() => undefined))?.bytes === 0);
});

it('one process looks at a disk, whoever looks and however often', { skip }, async () => {
  const [folder, other] = [ownFolder(), ownFolder()];
  const before = childrenOf(process.pid).length;
  for (let looks = 0; looks < 5; looks += 1)
    await Promise.all(
      [folder, folder, other].map((one) =>
        createJournalCopy(one, { after: async () => [] }).compare(),
      ),
    );
  assert.ok(childrenOf(process.pid).length - before <= 2);
});

it('a process ends while such a disk hangs', { skip }, () => {
  const copy = JSON.stringify(
    new URL('../../src/services/erasures/journal-copy.ts', import.meta.url).href,
  );
  const program = `
    const { createJournalCopy } = await import(${copy});
    const copy = createJournalCopy(${JSON.stringify(hanging())}, { after: async () => [] });
    await copy.compare().catch(({ message }) => console.log(message));
    process.exit(0);`;
  const { status, signal, stdout } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', program],
    { encoding: 'utf8', timeout: 60_000 },
  );
  assert.deepEqual([status, signal], [0, null]);
  assert.match(stdout, /its disk does not answer\.$/m);
});

it('a folder that is named from where a command is stays that, wherever others of its process are', async () => {
  const copy = JSON.stringify(
    new URL('../../src/services/erasures/journal-copy.ts', import.meta.url).href,
  );
  const [first, second] = [ownFolder(), ownFolder()];
  writeFileSync(join(second, 'erasures.ndjson'), 'of the second\n');
  const program = `
    const { createJournalCopy } = await import(${copy});
    for (const folder of ${JSON.stringify([first, second])}) {
      process.chdir(folder);
      const { others } = await createJournalCopy('.', { after: async () => [] }).compare();
      console.log(others.length);
    }
    process.exit(0);`;
  const words = ['--input-type=module', '-e', program];
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  assert.equal(stdout, '0\n1\n', stderr);
});
