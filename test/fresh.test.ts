/** What is generated and kept beside the code is what the code says now. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { COMMAND, outputs, project } from '../scripts/generate.ts';

describe('generated files are fresh', () => {
  for (const { path, text } of outputs) {
    it(path, () => {
      const kept = readOrNothing(join(project, path));
      assert.ok(kept === text(), `${path} is not what the code says now: run "${COMMAND}".`);
      assert.match(kept.slice(0, 300), new RegExp(COMMAND), 'it says where it comes from');
    });
  }
});

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
