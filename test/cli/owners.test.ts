/** What root does beside the service stays usable for it, what a killed backup leaves goes, and what may not be used is named with what to do. */
// needs: program
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  fstatSync,
  globSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { giveToFolder, makeFolder } from '../../src/core/owners.ts';
import { takeLock } from '../../src/core/temporary.ts';
import { ownFolder, programIn, run, start } from '../support/cli-program.ts';
import { withAccount } from '../support/cli-setup.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';

const PROJECT = join(import.meta.dirname, '../..');
const SERVICE = 10_001;
const mounts = spawnSync('unshare', ['-m', 'true'], { stdio: 'ignore' }).status === 0;
/** Why nobody can act for others here. */
const skip =
  (process.getuid?.() !== 0 && 'only root can act for others') ||
  (!mounts && 'there are no mount namespaces here');

it('everything that root makes in folders of the service belongs to it', async (test) => {
  if (process.getuid?.() !== 0) return test.skip('only root can act for others');
  const { cwd, account, ok } = await withAccount();
  const given = (name: string) => {
    mkdirSync(join(cwd, name));
    chownSync(join(cwd, name), SERVICE, SERVICE);
    return name;
  };
  const folders = ['backups', 'moments', 'exports', 'store', 'state'].map(given);
  await ok('backup', 'backups/');
  await ok('export', '--out', 'exports/', '--since', 'state/since');
  await ok('export', '--out', 'exports/new/');
  const other = ['--database-url', 'sqlite:store/deep/other.db'];
  await ok('accounts', 'create', '--name', 'Other', ...other);
  const words = ['backup', '--follow', 'moments', '--every', '1s'];
  const following = start(words, { cwd }, { stdio: 'ignore' });
  await until(() => readdirSync(join(cwd, 'moments')).length > 1);
  following.kill('SIGTERM');
  await once(following, 'exit');
  assert.ok(account.startsWith('acct_'));
  const wrong = folders.flatMap((folder) =>
    readdirSync(join(cwd, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((name) => statSync(join(cwd, name)).uid !== SERVICE),
  );
  assert.deepEqual(wrong, []);
});

it('what a link in a folder of the service leads to is not given to it', (test) => {
  if (process.getuid?.() !== 0) return test.skip('only root can act for others');
  const cwd = ownFolder();
  const folder = join(cwd, 'store');
  mkdirSync(folder);
  chownSync(folder, SERVICE, SERVICE);
  const ownerAfter = (name: string): number => {
    const file = openSync(join(folder, name), 'a', 0o600);
    giveToFolder(file, join(folder, name));
    const { uid } = fstatSync(file);
    closeSync(file);
    return uid;
  };
  for (const link of [symlinkSync, linkSync]) {
    const outside = join(cwd, link.name);
    writeFileSync(outside, 'of root');
    link(outside, join(folder, link.name));
    assert.equal(ownerAfter(link.name), 0, link.name);
    assert.equal(statSync(outside).uid, 0, link.name);
  }
  assert.equal(ownerAfter('of the service'), SERVICE);
  const giving = globSync('src/**/*.ts').filter((path) => /chown/.test(codeIn(path)));
  assert.deepEqual(giving, ['src/core/owners.ts'], 'others give through giveToFolder');
});

it('what is no folder is not taken for one that was made', () => {
  const cwd = ownFolder();
  writeFileSync(join(cwd, 'file'), '');
  symlinkSync('file', join(cwd, 'link to it'));
  symlinkSync('nothing', join(cwd, 'link to nothing'));
  for (const name of ['file', 'link to it', 'link to nothing', 'file/below'])
    assert.throws(() => makeFolder(join(cwd, name)), /EEXIST|ENOTDIR/, name);
  mkdirSync(join(cwd, 'folder'));
  symlinkSync('folder', join(cwd, 'link to a folder'));
  for (const name of ['folder', 'link to a folder', 'new', 'new/below it'])
    makeFolder(join(cwd, name));
  assert.ok(statSync(join(cwd, 'new/below it')).isDirectory());
});

/** The code of a file, without what its messages say. */
function codeIn(path: string): string {
  return readFileSync(path, 'utf8').replace(/`[^`]*`/g, '');
}

it('what belongs to another user is named, with the command that gives it', { skip }, async () => {
  const { cwd, ok } = await withAccount();
  chmodSync(cwd, 0o755);
  mkdirSync(join(cwd, 'backups'));
  await ok('backup', 'backups/');
  const [name = ''] = readdirSync(join(cwd, 'backups'));
  for (const folder of ['data', 'backups', 'locked']) {
    mkdirSync(join(cwd, folder), { recursive: true });
    chmodSync(join(cwd, folder), 0o755);
  }
  writeFileSync(join(cwd, 'locked', 'follower.lock'), '', { mode: 0o600 });
  for (const words of [
    ['restore', '--check', 'backups/'],
    ['restore', `backups/${name}`, '--database-url', 'sqlite:/tmp/not-made.db'],
    ['verify', 'backups/'],
    ['verify', `backups/${name}`],
    ['accounts', 'list'],
  ]) {
    const { code, stderr } = await asOther(cwd, words);
    assert.equal(code, 1, words.join(' '));
    assert.doesNotMatch(stderr, /Unexpected error/);
    assert.match(stderr, /belongs to the user 0, and this is the user 10001/, words.join(' '));
    assert.match(stderr, /chown --reference=\S+ \S+/);
  }
});

it('a folder for temporary files that nobody can use is named, and ends no other check', {
  skip,
}, async () => {
  const { cwd, ok } = await withAccount();
  await ok('backup', `${cwd}/`);
  for (const name of ['.', ...readdirSync(cwd, { recursive: true, encoding: 'utf8' })])
    chownSync(join(cwd, name), SERVICE, SERVICE);
  // As systemd gives it to a unit where the disk is full.
  const TMPDIR = join(ownFolder(), 'closed');
  mkdirSync(TMPDIR, { mode: 0 });
  const named = `${TMPDIR} cannot be used for temporary files (EACCES)`;
  const doctor = await asOther(cwd, ['doctor'], { TMPDIR });
  assert.equal(doctor.code, 1);
  assert.ok(doctor.stdout.includes(named), doctor.stdout + doctor.stderr);
  assert.match(doctor.stdout, /^good +room: /m);
  const { stderr } = await asOther(cwd, ['restore', '--check', '.'], { TMPDIR });
  assert.ok(stderr.includes(named), stderr);
  assert.doesNotMatch(stderr + doctor.stderr, /chown|Unexpected error/);
});

it('a store on a disk that is full to the last byte is refused with that, and opens once there is room', async (test) => {
  const folder = ownFolder();
  const disk = mountSmallDisk(folder, 16);
  if (disk === undefined) return test.skip('only root can have a disk of its own');
  try {
    const program = programIn(folder);
    await program.ok('accounts', 'create', '--name', 'Full', '--test');
    // What stands beside it, and may have to be made again.
    for (const beside of ['*-search', '*.serving', '*-*']) {
      disk.fill();
      for (const words of [
        ['serve', '--port', '0'],
        ['accounts', 'list'],
      ]) {
        const { code, stderr } = await program.run(...words);
        assert.equal(code, 1, words.join(' '));
        assert.match(stderr, /because the disk is full/, `${words.join(' ')}, ${beside}`);
      }
      disk.makeRoom();
      assert.match(await program.ok('accounts', 'list'), /Full/);
      for (const name of globSync(beside, { cwd: folder })) rmSync(join(folder, name));
    }
  } finally {
    disk.unmount();
  }
});

/** Runs a command as the user of the service. */
function asOther(cwd: string, words: readonly string[], more: Record<string, string> = {}) {
  // The project is in a folder that others may enter, wherever it is.
  const place = ownFolder();
  chmodSync(place, 0o755);
  const user = ['--reuid', `${SERVICE}`, '--regid', `${SERVICE}`, '--clear-groups', '--'];
  const begins = 'mount --bind "$1" "$2" && shift 2 && exec setpriv "$@"';
  const given = [PROJECT, place, ...user, join(place, 'bin/ledgerstone'), ...words];
  const env = { NODE_COMPILE_CACHE: '/tmp/none', ...more };
  return run(['-m', 'sh', '-c', begins, 'sh', ...given], { cwd, env, program: 'unshare' });
}

it('parts of killed backups go with the next one, and one that is being written stays', async () => {
  const { cwd, ok, json } = await withAccount();
  const folder = join(cwd, 'backups');
  mkdirSync(folder);
  const parts = () => readdirSync(folder).filter((name) => name.endsWith('.partial'));
  const rows = Array.from({ length: 20_000 }, (_, at) => `L${at},Chapel number ${at}`);
  writeFileSync(
    join(cwd, 'locations.csv'),
    `external_identifier,location_name\n${rows.join('\n')}\n`,
  );
  await ok('import', 'locations.csv', '--fast');
  const killed = start(['backup', 'backups/'], { cwd }, { stdio: 'ignore' });
  await until(() => parts().length === 1);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const [left = ''] = parts();
  assert.match(left, /^ledgerstone-\w+\.ndjson\.zst\.partial$/);

  // Another process writes one, and 1.0.1 has left one long ago, without a lock.
  const [other, old] = ['20260101', '20250101'].map(
    (day) => `ledgerstone-${day}T000000Z.ndjson.zst.partial`,
  ) as [string, string];
  for (const name of [other, old]) writeFileSync(join(folder, name), 'x');
  utimesSync(join(folder, old), 0, 0);
  const release = takeLock(join(folder, `${other}.lock`)) ?? assert.fail('locked');
  const { removed } = await json<{ removed: string[] }>('backup', '--fast', 'backups/');
  assert.deepEqual(removed.toSorted(), [old, left]);
  assert.deepEqual(parts(), [other]);
  release();
  // Backups are named by the second.
  const second = () => Math.floor(Date.now() / 1_000);
  const before = second();
  await until(() => second() > before);
  await ok('backup', '--fast', 'backups/');
  const names = readdirSync(folder);
  assert.deepEqual(
    names.filter((name) => /partial|lock/.test(name)),
    [],
  );
});

it('where nothing can be written, though the user may, a command says so, and what to do', async (test) => {
  const inside = (shell: string) =>
    spawnSync('unshare', ['--mount', 'sh', '-euc', shell], { encoding: 'utf8' });
  if (process.getuid?.() !== 0 || inside('true').status !== 0)
    return test.skip('only root can make a disk read-only');
  const { cwd } = await withAccount();
  const data = join(cwd, 'data');
  const program = join(import.meta.dirname, '../../bin/ledgerstone');
  for (const words of ['keys list', 'doctor', 'backup ../elsewhere/', 'serve --port 0']) {
    const { stdout, stderr, status } = inside(
      `cd '${cwd}'; mount --bind '${data}' '${data}'; mount -o remount,ro,bind '${data}'; timeout 60 sh '${program}' ${words}`,
    );
    assert.equal(status, 1, `${words}: ${stdout}${stderr}`);
    assert.match(stdout + stderr, /is read-only here: .* ReadWritePaths of files\.conf/, words);
    assert.doesNotMatch(stdout + stderr, /let this user/, words);
  }
});
