/** The pages that pages, units and commands name by their file are there for whoever reads that. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { it } from 'node:test';

const PROJECT = join(import.meta.dirname, '../..');
const files = (pattern: string): string[] => globSync(pattern, { cwd: PROJECT });
const namedIn = (file: string): string[] =>
  readFileSync(join(PROJECT, file), 'utf8').match(/[\w/.-]*\w\.md\b/g) ?? [];

it('of the documentation, also within examples and comments', () => {
  const texts = files('{*.md,docs/**/*.md,client/*.md,scripts/*.md}');
  const there = new Set(texts.map((text) => basename(text)));
  const missing = texts.flatMap((text) =>
    namedIn(text)
      .filter((name) => !there.has(basename(name)))
      .map((name) => `${text}: ${name}`),
  );
  assert.deepEqual(missing, []);
});

it('of a release, which has the pages as its manual and no file of them but the changelog', () => {
  const missing = files('deploy/**/*.*').flatMap((file) =>
    namedIn(file)
      .filter((name) => name !== 'CHANGELOG.md')
      .map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(missing, []);
});
