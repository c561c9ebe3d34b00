/**
 * Packages that only some tests use and that are too large for everybody's installation: each folder of them has its own
 * `package.json`. A run for CI installs them; otherwise `npm ci --prefix test/extras --ignore-scripts` does, and without
 * them their tests are skipped.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const TESTS = join(import.meta.dirname, '..');
/** Other versions of Node and TypeScript, Deno, Bun, bundlers, runners of tests. */
export const EXTRAS = join(TESTS, 'extras', 'node_modules');
/** Generators of other clients, and followers of event streams. */
export const GENERATORS = join(TESTS, 'generators', 'node_modules');

/** For some registry that answers nothing: it takes less than a minute. */
const LIMIT_MS = 900_000;

const command = (folder: string): string => `npm ci --prefix test/${folder} --ignore-scripts`;

/** Why a test that needs a file or folder of them is skipped; `false` where it is there. */
export function lacks(name: string, folder = 'extras'): string | false {
  if (existsSync(join(TESTS, folder, 'node_modules', name))) return false;
  return `${name} is not installed: ${command(folder)} installs it, on Linux with x64`;
}

/** The environment of a program that is not this project's: options in ours are for our own Node. */
export function foreignEnv(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return env;
}

/** Installs what one of the folders lists, where it is not there as it is listed. Fails with what npm says. */
export async function installExtras(folder: string): Promise<void> {
  if (isInstalled(folder)) return;
  const words = [
    ...command(folder).split(' ').slice(1),
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
  ];
  const options = { cwd: join(TESTS, '..'), env: foreignEnv(), timeout: LIMIT_MS };
  await promisify(execFile)('npm', words, options);
}

/** Asks for the packages alone: those of another kind of machine are listed and never installed. */
function isInstalled(folder: string): boolean {
  const listed = locked(join(TESTS, folder, 'package-lock.json'));
  const installed = locked(join(TESTS, folder, 'node_modules', '.package-lock.json'));
  return Object.entries(listed).every(
    ([path, { version, optional }]) =>
      path === '' || (installed[path]?.version ?? (optional ? version : undefined)) === version,
  );
}

function locked(
  file: string,
): Record<string, { readonly version?: string; readonly optional?: true }> {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};
}
