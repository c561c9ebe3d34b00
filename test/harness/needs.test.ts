/** Each test file says what it needs, in words that mean something. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { needsOf, testFiles } from '../support/needs.ts';

const PROJECT = join(import.meta.dirname, '..', '..');

/** Whether the file asks a service whose store `TEST_STORE` chooses; others open the stores that they are about. */
function asksService(path: string, text: string): boolean {
  const isAbout =
    /^test\/(?:api|audit|client|erasures|features|models|objects|staff|transfer)\//.test(path);
  const isService = /'(?:\.\.\/)+support\/(?:scenario|service|counted-service|world)\.ts'/.test(
    text,
  );
  return (isAbout && isService) || /\b(?:serviceGround|AgingGrounds)\(/.test(text);
}

describe('a line of needs', () => {
  it('holds words of CONTRIBUTING.md, and no others', () => {
    assert.deepEqual(needsOf('a', '/** A test. */\n'), new Set());
    const text = '/** A test. */\n// needs: alone, both stores\nimport a;\n';
    assert.deepEqual(needsOf('a', text), new Set(['alone', 'both stores']));
    assert.throws(() => needsOf('a.ts', '// needs: postgres\n'), /a\.ts needs "postgres"\. Use/);
  });

  it('says of each file that asks a service whether it runs on both stores, and of no other one', () => {
    for (const { path, needs } of testFiles(PROJECT)) {
      const says = needs.has('both stores') || needs.has('both stores with --all');
      const asks = asksService(path, readFileSync(join(PROJECT, path), 'utf8'));
      assert.equal(says, asks, `${path}: "both stores", or "both stores with --all"`);
    }
  });
});
