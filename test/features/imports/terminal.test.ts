/** An import on a terminal shows its progress and stops at Ctrl-C; it is undone when somebody says so, and without a terminal only with -y. */
// needs: program
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { finish, isThere, LAUNCHER, programIn, start } from '../../support/cli-program.ts';
import { withAccount } from '../../support/cli-setup.ts';
import { pluck } from '../../support/pluck.ts';

const skip = isThere('script')
  ? false
  : 'there is no script(1) on this machine, to make a terminal';
const ROWS = 20_000;

interface Listed {
  readonly unique_identifier: string;
  readonly status: string;
  readonly created: number;
}

/** Runs a command on a terminal of its own. `type` is called with all that it has shown so far, and gives what to type. */
function onTerminal(cwd: string, words: readonly string[], type: (shown: string) => string) {
  const quoted = [LAUNCHER, ...words].map((word) => `'${word}'`).join(' ');
  // Without a size, a question would be wrapped after each of its characters.
  const line = `stty cols 200 rows 40; exec ${quoted}`;
  const child = start(
    ['--quiet', '--return', '--command', line, '/dev/null'],
    { cwd, program: 'script', env: { TERM: 'xterm', SHELL: '/bin/sh' } },
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  let shown = '';
  child.stdout?.on('data', (text) => {
    shown += String(text);
    const typed = type(shown);
    if (typed !== '') child.stdin?.write(typed);
  });
  return finish(child);
}

async function scene(rows: number) {
  const { cwd } = await withAccount();
  const lines = Array.from({ length: rows }, (_, at) => `row ${at},A\n`);
  writeFileSync(join(cwd, 'locations.csv'), `external_identifier,location_name\n${lines.join('')}`);
  const ledgerstone = programIn(cwd);
  return { cwd, ledgerstone, listed: () => ledgerstone.json<Listed[]>('imports', 'list') };
}

describe('on a terminal an import', { skip }, () => {
  it('shows how far it is, stops at Ctrl-C with 130, and goes on with the same command', async () => {
    const { cwd, ledgerstone, listed } = await scene(ROWS);
    const progress = /[1-9][\d,]* of 20,000 rows, [\d,]+\/s, \d+ s left/;
    let typed = false;
    const words = ['import', 'locations.csv', '--fast'];
    const { code, stdout } = await onTerminal(cwd, words, (shown) => {
      if (typed || !progress.test(shown)) return '';
      typed = true;
      return '\u0003';
    });
    assert.equal(code, 130, stdout);
    assert.match(stdout, /Interrupted\. Run the same command to continue\./);
    const [stopped] = await listed();
    assert.equal(stopped?.status, 'running');
    const last = await ledgerstone.run(...words);
    assert.equal(last.code, 0, last.stderr);
    // Nobody watches, and nothing is drawn.
    assert.doesNotMatch(last.stderr, /\u001b|s left/);
    assert.deepEqual(pluck(await listed(), 'unique_identifier', 'created'), [
      [stopped?.unique_identifier, ROWS],
    ]);
    const verified = await onTerminal(cwd, ['verify', '--fast'], () => '');
    assert.match(verified.stdout, /Verifying \w+: [1-9][\d,]* rows/);
    const asJson = await onTerminal(cwd, ['verify', '--fast', '--json'], () => '');
    assert.doesNotMatch(asJson.stdout, /Verifying/);
    assert.doesNotMatch((await ledgerstone.run('verify', '--fast')).stderr, /Verifying/);
  });

  it('is undone when the question is answered with yes, and stays at no, Enter and Ctrl-C', async () => {
    const { cwd, listed, ledgerstone } = await scene(3);
    await ledgerstone.run('import', 'locations.csv');
    const [{ unique_identifier: id = '' } = {}] = await listed();
    const answered = async (key: string) => {
      let typed = false;
      return onTerminal(cwd, ['imports', 'undo', id], (shown) => {
        if (typed || !shown.includes(`Undo ${id}: remove up to 3 records`)) return '';
        typed = true;
        return key;
      });
    };
    for (const key of ['n', '\r', '\u0003']) {
      const { code, stdout } = await answered(key);
      assert.equal(code, 1, stdout);
      assert.match(stdout, /Nothing was undone\./);
      const [kept] = await listed();
      assert.equal(kept?.status, 'finished');
    }
    const { code, stdout } = await answered('y');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /3 removed, 0 restored, 0 left/);
    const [undone] = await listed();
    assert.equal(undone?.status, 'undone');
  });

  it('is undone without a terminal only with -y', async () => {
    const { ledgerstone, listed } = await scene(3);
    await ledgerstone.run('import', 'locations.csv');
    const [{ unique_identifier = '' } = {}] = await listed();
    const wrong = await ledgerstone.fails('imports', 'undo', unique_identifier);
    assert.match(wrong, /add --yes to undo the import/);
    const told = await ledgerstone.ok('imports', 'undo', '-y', unique_identifier);
    assert.match(told, /3 removed, 0 restored, 0 left/);
    // A second time it says so, and asks nothing.
    for (const more of [[], ['--dry-run'], ['-y']]) {
      assert.match(
        await ledgerstone.ok('imports', 'undo', ...more, unique_identifier),
        /^imp_\w+ was already undone on 20\d\d-[-\d]+T[:.\d]+Z\. There is nothing more to undo\.\n$/,
      );
    }
  });
});
