/** What is generated and kept beside the code is what the code says now. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { packageFile } from '../bin/client-package.ts';
import { COMMAND, isPacked, outputs, project, staleFiles } from '../scripts/generate.ts';

describe('generated files are fresh', () => {
  for (const { path, text, partly } of outputs) {
    it(path, () => {
      const kept = readOrNothing(join(project, path));
      assert.ok(kept === text(), `${path} is not what the code says now: run "${COMMAND}".`);
      if (partly) return;
      assert.match(kept.slice(0, 300), new RegExp(COMMAND), 'it says where it comes from');
    });
  }
});

it('the package of the client is what its sources make', () => {
  assert.ok(isPacked(packageFile()), `${packageFile()} is not: run "${COMMAND}".`);
});

it('folders of generated files have no others', () => {
  assert.deepEqual(staleFiles(), [], `Nothing generates these: run "${COMMAND}".`);
});

it('every picture that is kept is shown by a page, and every one that is shown is kept', () => {
  const docs = join(project, 'docs');
  const pages = readdirSync(docs).filter((name) => name.endsWith('.md'));
  const files = [join(project, 'README.md'), ...pages.map((name) => join(docs, name))];
  const shown = files.flatMap((file) =>
    [...readOrNothing(file).matchAll(/pictures\/([\w-]+\.(?:png|svg))/g)].map(
      ([, name = '']) => name,
    ),
  );
  assert.deepEqual([...new Set(shown)].sort(), readdirSync(join(docs, 'pictures')).sort());
});

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
