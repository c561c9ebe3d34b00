/** The project's own client as a package that programs can import, built once in each process, or once in a whole run of tests. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '..', '..');
let built = process.env.TEST_PACKAGES;

/** A `node_modules` with the client and Stripe's in it. */
export function packages(): string {
  if (built !== undefined) return built;
  const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-packages-'));
  process.on('exit', () => rmSync(folder, { recursive: true }));
  const client = join(folder, '@ledgerstone', 'client');
  mkdirSync(client, { recursive: true });
  cpSync(join(PROJECT, 'client', 'package.json'), join(client, 'package.json'));
  symlinkSync(join(PROJECT, 'node_modules', 'stripe'), join(folder, 'stripe'));
  const compiler = join(PROJECT, 'node_modules', 'typescript-7', 'bin', 'tsc');
  const where = ['-p', join(PROJECT, 'client'), '--outDir', join(client, 'dist')];
  execFileSync(process.execPath, [compiler, ...where], { timeout: 60_000 });
  built = folder;
  return built;
}
