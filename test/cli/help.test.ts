/** The program explains itself, and mistakes get one line that helps. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { settings } from '../../src/config.ts';
import { LAUNCHER, ownFolder, programIn, run as runIn } from '../support/cli-program.ts';

describe('help and mistakes', () => {
  it('every command has help with an example, and prints it on standard output', async (t) => {
    const { run } = programIn(ownFolder(t));
    const commands = [
      '',
      ...['serve', 'dev', 'migrate', 'config', 'accounts', 'keys', 'history', 'requests'],
      'changes follow',
      ...['create', 'list', 'rename', 'close', 'reopen', 'wipe'].map((name) => `accounts ${name}`),
      ...['create', 'list', 'show', 'rotate', 'suspend', 'resume', 'revoke'].map(
        (name) => `keys ${name}`,
      ),
    ];
    for (const command of commands) {
      const { code, stdout, stderr } = await run(...command.split(' ').filter(Boolean), '--help');
      assert.equal(code, 0, command);
      assert.equal(stderr, '');
      assert.match(stdout, new RegExp(`^Usage: ledgerstone ${command}`.trimEnd()));
      assert.match(stdout, /--database-url <url>/);
      assert.match(stdout, /\nExamples:\n.*\n {4}\$ ledgerstone /);
    }
    assert.deepEqual(await run(), await run('--help'), 'nothing asked: the same help');
  });

  it('serve --help is the table of settings', async (t) => {
    const { stdout } = await programIn(ownFolder(t)).run('serve', '--help');
    const words = stdout.replace(/\s+/g, ' ');
    for (const { option, variable, says, default: otherwise } of settings) {
      assert.ok(words.includes(`${option} ${says} (${variable}`), option);
      assert.ok(words.includes(otherwise), otherwise);
    }
  });

  it('--version is that of package.json', async (t) => {
    const { version } = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
    ) as { version: string };
    assert.equal((await programIn(ownFolder(t)).run('--version')).stdout, `${version}\n`);
  });

  it('unknown commands and options suggest the nearest', async (t) => {
    const { run } = programIn(ownFolder(t));
    const mistakes: readonly (readonly [words: readonly string[], stderr: string])[] = [
      [['serv'], "unknown command 'serv' (Did you mean serve?)"],
      [['serve', '--prot', '1'], "unknown option '--prot' (Did you mean --port?)"],
      [
        ['keys', 'list', '--databse-url', 'x'],
        "unknown option '--databse-url' (Did you mean --database-url?)",
      ],
      [['serve', 'now'], "too many arguments for 'serve'. Expected 0 arguments but got 1: now."],
      [['accounts', 'close'], "missing required argument 'id'"],
    ];
    for (const [words, line] of mistakes) {
      const { code, stdout, stderr } = await run(...words);
      assert.deepEqual([code, stdout, stderr], [1, '', `ledgerstone: ${line}\n`]);
    }
  });

  it('whoever stops reading the output is no error', async (t) => {
    const cwd = ownFolder(t);
    const { code, stdout, stderr } = await runIn(
      ['-c', '"$0" --help | true; "$0" config --json | head -n 1', LAUNCHER],
      { cwd, program: 'sh' },
    );
    assert.deepEqual([code, stdout, stderr], [0, '[\n', '']);
  });
});
