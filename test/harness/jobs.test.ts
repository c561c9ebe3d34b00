/** A run of tests ends, whatever its tests leave open or never finish, and leaves no process behind. */
// needs: waits
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Finished, run } from '../support/cli-program.ts';
import { until } from '../support/until.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const skip = process.platform !== 'linux' && 'processes are found in /proc';

function runFile(job_ms: number, ...names: string[]): Promise<Finished> {
  const files = names.map((name) => `test/harness/${name}.ts`);
  const words = ['test/harness/run.ts', `${job_ms}`, ...files];
  return run(words, { cwd: PROJECT, program: process.execPath });
}

describe('a job', () => {
  it('ends with its last test, and passes, also where a test has left a server open', async () => {
    const { code, stdout } = await runFile(60_000, 'leaves-open');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^ℹ pass 1$/m);
  });

  it('passes where its results come before the line that says which file they are of', async () => {
    const { code, stdout } = await runFile(60_000, 'late-words', 'leaves-open');
    assert.equal(code, 0, stdout);
  });

  it('that takes longer than its limit is ended with all that it has started, and fails', {
    skip,
  }, async () => {
    const { code, stdout } = await runFile(5_000, 'never-ends');
    assert.equal(code, 1, stdout);
    const [, started = ''] = /started (\d+)/.exec(stdout) ?? [];
    assert.ok(started !== '', stdout);
    await until(() => !existsSync(`/proc/${started}`));
    assert.match(stdout, /ended after 5000 ms: test\/harness\/never-ends\.ts/);
  });
});
