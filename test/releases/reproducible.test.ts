/** A release is the same byte by byte, in whichever folder it is made. */
// needs: --all, waits
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { ownFolder } from '../support/cli-program.ts';
import { PROJECT } from '../support/versions.ts';

/** What the program's bundle is made by and of. */
const PARTS = ['bin', 'src', 'client', 'console', 'package.json', 'package-lock.json'];
const BUNDLE = `
  const [project, to] = process.argv.slice(1);
  const { bundle } = await import(project + '/bin/bundle.mjs');
  await bundle(project, to, { moves: true });`;

/** Bundles a copy of the project in a folder of that name, with packages of its own. */
function bundledIn(name: string): ReadonlyMap<string, string> {
  const folder = join(ownFolder(), name);
  mkdirSync(folder, { recursive: true });
  for (const part of PARTS) execFileSync('cp', ['-a', join(PROJECT, part), folder]);
  const from = join(PROJECT, 'node_modules');
  mkdirSync(join(folder, 'node_modules'));
  for (const one of readdirSync(from).filter((each) => each !== '.cache'))
    execFileSync('cp', ['-a', join(from, one), join(folder, 'node_modules')]);
  const to = join(folder, 'program');
  const words = ['--input-type=module', '-e', BUNDLE, folder, to];
  execFileSync(process.execPath, words, { env: { PATH: process.env.PATH }, stdio: 'pipe' });
  return new Map(
    readdirSync(to)
      .toSorted()
      .map((file) => [
        file,
        createHash('sha256')
          .update(readFileSync(join(to, file)))
          .digest('hex'),
      ]),
  );
}

it('The program is the same in two folders', () => {
  const one = bundledIn('here');
  assert.ok(one.size > 20);
  assert.deepEqual(bundledIn('some/where else'), one);
});
