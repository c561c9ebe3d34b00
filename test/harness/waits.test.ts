/** No test waits for a time, but where `waits.ts` says why: what takes long on one machine takes longer on a busy one. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { WAITS } from './waits.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
/** Timers by whatever names a file imports them, and other programs' ways of waiting. */
const TIMERS = ['setTimeout', 'setInterval'];
const OTHERS = ['AbortSignal\\.timeout', 'waitForTimeout', 'Atomics\\.wait', 'pg_sleep', 'sleep'];

/** The lines of a file that wait for a time. */
function waitsIn(text: string): readonly string[] {
  const imported = [...text.matchAll(/import \{([^}]*)\} from 'node:timers(?:\/promises)?';/g)]
    .flatMap(([, names = '']) => names.split(','))
    .filter((name) => TIMERS.some((timer) => name.trim().startsWith(timer)))
    .map((name) => name.trim().split(' as ').at(-1) ?? '');
  const calls = [...new Set([...TIMERS, ...imported])].map((name) => `(?<![.\\w])${name}\\(`);
  const waits = new RegExp(`${calls.join('|')}|\\b(?:${OTHERS.join('|')})\\b(?=[ (])`);
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => waits.test(line) && !/^(?:\/?\*|\/\/|import )/.test(line));
}

it('finds waits by whatever name', () => {
  const text = [
    "import { setTimeout as rest } from 'node:timers/promises';",
    'await rest(5);',
    'setTimeout(done, 5);',
    'page.waitForTimeout(5);',
    'socket.pause();',
    '// It may rest(5).',
    'await until(() => seen);',
  ];
  assert.deepEqual(waitsIn(text.join('\n')), text.slice(1, 4));
});

it('each wait is listed with its reason, and each that is listed is there', () => {
  const found = globSync('test/**/*.{ts,mts,mjs}', {
    cwd: PROJECT,
    exclude: ['**/node_modules/**'],
  })
    .filter((path) => !path.startsWith('test/harness/waits'))
    .flatMap((path) =>
      waitsIn(readFileSync(join(PROJECT, path), 'utf8')).map((line) => `${path}: ${line}`),
    );
  const listed = Object.entries(WAITS).flatMap(([path, waits]) =>
    waits.map(([line]) => `${path}: ${line}`),
  );
  assert.deepEqual(found.toSorted(), listed.toSorted());
});
