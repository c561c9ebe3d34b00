/** The core stands without features: with their folders deleted it is generated, checked, and keeps its promises. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

const PROJECT = join(import.meta.dirname, '..');
/** What a developer has, and not the project. */
const LEFT = new Set(['.git', 'node_modules']);
const TSC = 'node_modules/typescript-7/bin/tsc';
describe('Without features, the core', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-core-'));
  const run = (...words: readonly string[]): void => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, env });
    assert.equal(status, 0, `${words.join(' ')}:\n${stdout}${stderr}`);
  };
  before(() => {
    for (const name of readdirSync(PROJECT).filter((one) => !LEFT.has(one)))
      cpSync(join(PROJECT, name), join(folder, name), {
        recursive: true,
        preserveTimestamps: true,
      });
    symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
    for (const features of ['src/features', 'test/features'])
      for (const entry of readdirSync(join(folder, features)))
        rmSync(join(folder, features, entry), { recursive: true });
    run('scripts/features.ts');
    run('scripts/generate.ts');
  });
  after(() => rmSync(folder, { recursive: true }));

  it('passes its check', () => {
    // Other tests may name features.
    const config = readFileSync(join(folder, 'tsconfig.json'), 'utf8');
    writeFileSync(join(folder, 'core.json'), config.replace('"test"', '"test/conformance"'));
    run(TSC, '--project', 'core.json');
    run('--test', 'test/architecture.test.ts', 'test/fresh.test.ts');
  });

  it('keeps the promises of a store on SQLite', () => {
    run('--test', 'test/conformance/sqlite.test.ts');
  });

  it('keeps them on PostgreSQL', () => run('--test', 'test/conformance/postgres.test.ts'));

  it('serves', () => {
    run(
      '--test',
      ...['merge', 'idempotency', 'upsert-many'].map((one) => `test/api/${one}.test.ts`),
    );
  });
});
