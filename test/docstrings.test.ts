/** A docstring begins with what the thing does, or with a noun that has its article: nobody says *Of an account.* */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

const project = join(import.meta.dirname, '..');
const ROOMS = ['src', 'console', 'client/src', 'manual', 'scripts', 'bench'];
const HEADLESS = /\/\*\*[\s*]*((?:Of|Those|The same)\b.*)/g;
const SRC_HEADLESS = /\/\*\*[\s*]*((?:Of|Those|The same|By which|As it|In th(?:is|e)|What)\b.*)/g;

it('no docstring begins with a phrase that has no head', () => {
  const files = ROOMS.flatMap((room) => globSync(`${room}/**/*.{ts,tsx}`, { cwd: project }));
  assert.ok(files.length > 500);
  const headless = files
    .filter((file) => !file.includes('node_modules'))
    .flatMap((file) =>
      [
        ...readFileSync(join(project, file), 'utf8').matchAll(
          file.startsWith('src/') ? SRC_HEADLESS : HEADLESS,
        ),
      ].map(([, text]) => `${file}: ${text}`),
    );
  assert.deepEqual(headless, []);
});
