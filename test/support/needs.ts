/** What a test file needs to run, as its line `// needs: …` says. CONTRIBUTING.md documents the words. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const WORDS = [
  ...['--all', '--ci', 'alone', 'both stores', 'both stores with --all'],
  ...['browser', 'long', 'program', 'release', 'waits'],
] as const;

export type Need = (typeof WORDS)[number];

export interface TestFile {
  /** From the project's folder. */
  readonly path: string;
  readonly needs: ReadonlySet<Need>;
}

/** All test files below `test/`. Throws where a line has a word that means nothing. */
export function testFiles(project: string): readonly TestFile[] {
  return globSync('test/**/*.test.ts', { cwd: project, exclude: ['**/node_modules'] })
    .sort()
    .map((path) => ({ path, needs: needsOf(path, readFileSync(join(project, path), 'utf8')) }));
}

export function needsOf(path: string, text: string): ReadonlySet<Need> {
  const [, line = ''] = /^\/\/ needs: (.+)$/m.exec(text) ?? [];
  const words = line === '' ? [] : line.split(', ');
  const unknown = words.find((word) => !isNeed(word));
  if (unknown !== undefined) {
    throw new Error(`${path} needs "${unknown}". Use one of: ${WORDS.join(', ')}.`);
  }
  return new Set(words.filter(isNeed));
}

function isNeed(word: string): word is Need {
  return (WORDS as readonly string[]).includes(word);
}
