/** The client's package, installed as an integrator installs it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ownFolder } from './cli-program.ts';

const ABOUT = join(import.meta.dirname, '..', '..', 'client', 'package.json');

/** Takes the package from the service at that address, and installs it into a folder without asking the network. */
export async function installClient(folder: string, service: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(ABOUT, 'utf8'));
  const answer = await fetch(`${service}/client-${version}.tgz`);
  assert.equal(answer.status, 200);
  const tarball = join(ownFolder(), 'client.tgz');
  writeFileSync(tarball, await answer.bytes());
  const words = ['install', '--offline', '--no-audit', '--no-fund', tarball];
  await promisify(execFile)('npm', words, { cwd: folder });
}
