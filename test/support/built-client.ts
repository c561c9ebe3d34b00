/** The project's own client as a package that programs can import, built once in each process, or once in a whole run of tests. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientTar } from '../../bin/client-package.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
let built = process.env.TEST_PACKAGES;

/** A `node_modules` with the client and Stripe's in it. */
export function packages(): string {
  if (built !== undefined) return built;
  const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-packages-'));
  process.on('exit', () => rmSync(folder, { recursive: true }));
  const client = join(folder, '@ledgerstone', 'client');
  mkdirSync(client, { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules', 'stripe'), join(folder, 'stripe'));
  // Its files are in a folder `package`.
  const words = ['-x', '--strip-components=1', '-C', client];
  execFileSync('tar', words, { input: clientTar(), timeout: 60_000 });
  built = folder;
  return built;
}
