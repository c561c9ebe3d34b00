/** A run of tests ends, whatever its tests leave open or never finish, leaves no process behind, and ends with one list of what failed. */
// needs: waits
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Finished, ownFolder, run } from '../support/cli-program.ts';
import { until } from '../support/until.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const skip = process.platform !== 'linux' && 'processes are found in /proc';

/** What is no file: of these `run.ts` knows. */
const WORDS = new Set(['once', 'beside', 'all']);

function runFile(job_ms: number, ...names: string[]): Promise<Finished> {
  const files = names.map((name) => (WORDS.has(name) ? name : `test/harness/${name}.ts`));
  const words = ['test/harness/run.ts', `${job_ms}`, ...files];
  const env = { TEST_MARKS: ownFolder(), TEST_FAULTS: '' };
  return run(words, { cwd: PROJECT, program: process.execPath, env });
}

/** What stands behind the counts, which are the last lines that Node's own runner prints. */
const listed = (stdout: string): string => stdout.split(/^ℹ duration_ms .*\n/m)[1] ?? '';
const count = (stdout: string, name: string): number =>
  Number(new RegExp(`^ℹ ${name} (\\d+)$`, 'm').exec(stdout)?.[1]);

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

  it('ends where another has taken the last file', async () => {
    const { code, stdout } = await runFile(60_000, 'beside', 'leaves-open');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^ℹ pass 1$/m);
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

describe('a property', () => {
  const drawn = async (...words: string[]) => {
    const { code, stdout } = await runFile(60_000, ...words, 'draws');
    assert.equal(code, 0, stdout);
    return /drew (.+)/.exec(stdout)?.[1];
  };

  it('draws the same in each run, and anew with --all', async () => {
    const first = await drawn();
    assert.ok(first);
    assert.equal(await drawn(), first);
    assert.notEqual(await drawn('all'), first);
  });
});

describe('the list that ends a run', () => {
  it('has each failing test with its file, its suites and its error, once, also beside others that pass', async () => {
    const { code, stdout } = await runFile(60_000, 'leaves-open', 'fails', 'dies', 'leaves-open');
    assert.equal(code, 1, stdout);
    const list = listed(stdout);
    assert.equal(list.split('✖ failing tests:').length, 2, stdout);
    assert.equal(
      list.split('test/harness/fails.ts › outer › inner › fails (sqlite)').length,
      2,
      list,
    );
    assert.match(list, /what was got/);
    assert.match(list, /test\/harness\/dies\.ts \(sqlite\)\n {2}no result of/);
    assert.doesNotMatch(list, /beside|leaves-open|Passed only alone/);
    assert.deepEqual(
      ['pass', 'fail'].map((name) => count(stdout, name)),
      [3, 2],
    );
  });

  it('has what failed before', async () => {
    const words = ['test/harness/run.ts', '60000', 'test/harness/leaves-open.ts'];
    const env = { TEST_FAULTS: '\fTypes\nsrc/a.ts: wrong' };
    const { code, stdout } = await run(words, { cwd: PROJECT, program: process.execPath, env });
    assert.equal(code, 1, stdout);
    assert.match(listed(stdout), /✖ failing tests:\n\nTypes\nsrc\/a\.ts: wrong\n/);
  });

  it('names files that fail once, each with its first error, and then the run passes', async () => {
    const once = ['fails-once-1', 'fails-once-2', 'fails-once-3'];
    const { code, stdout } = await runFile(60_000, ...once, 'leaves-open');
    assert.equal(code, 0, stdout);
    const list = listed(stdout);
    assert.match(list, /^\nPassed only alone:\n/);
    for (const nth of [1, 2, 3])
      assert.match(
        list,
        new RegExp(`fails-once-${nth}\\.ts › .* ${nth} \\(sqlite\\)\n.*bad luck ${nth}`),
      );
    assert.deepEqual(
      ['pass', 'fail'].map((name) => count(stdout, name)),
      [4, 0],
    );
  });

  it('says that more than three of them fail the run', async () => {
    const once = [1, 2, 3, 4].map((nth) => `fails-once-${nth}`);
    const { code, stdout } = await runFile(60_000, ...once);
    assert.equal(code, 1, stdout);
    assert.match(listed(stdout), /\nMore than 3 files passed only alone/);
  });

  it('where nothing is run twice, bad luck fails', async () => {
    const { code, stdout } = await runFile(60_000, 'once', 'fails-once-1');
    assert.equal(code, 1, stdout);
    assert.match(listed(stdout), /✖ failing tests:\n\ntest\/harness\/fails-once-1\.ts/);
  });
});
