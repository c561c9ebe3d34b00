/**
 * What the documentation shows can be pasted, and is true. A shell block that calls curl, and a JavaScript block,
 * is run as it is written against a service, in the order of its page; the blocks above it that only set variables
 * say what the reader puts in for `…`. JSON directly below is what it must print. Shell without curl is for the
 * machine that the service runs on: it is not run, and its commands must be ones that are known here.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isThere, ownFolder, run } from '../support/cli-program.ts';
import { type Block, pages } from '../support/doc-pages.ts';
import { createReader } from '../support/doc-reader.ts';
import { startService } from '../support/service.ts';

const all = pages();

const has = (kind: Block['kind']) => (blocks: readonly Block[]) =>
  blocks.some((block) => block.kind === kind);

describe('examples against a service', () => {
  const skip = !isThere('curl') && 'there is no curl on this machine to paste them for';
  for (const { path, sessions } of all) {
    for (const blocks of sessions.filter(has('request'))) {
      const first = blocks.find(({ kind }) => kind === 'request');
      it(`${path}, from line ${first?.line}`, { skip }, async (test) => {
        const service = await startService();
        test.after(() => service.stop());
        const reader = await createReader(service, ownFolder(test));
        for (const block of blocks) {
          await reader.follow(block).catch((error: Error) => {
            error.message = `${path}, line ${block.line}: ${error.message}`;
            throw error;
          });
        }
      });
    }
  }

  it('are on the pages for those who integrate', () => {
    const withExamples = all.filter(({ sessions }) => sessions.some(has('request')));
    const names = [
      'bulk',
      'client',
      'errors-and-retries',
      'idempotency',
      'merging',
      'pagination',
      'resources',
    ];
    const expected = ['README.md', ...names.map((name) => `docs/${name}.md`)];
    assert.deepEqual(
      withExamples.map(({ path }) => path),
      expected,
    );
  });
});

/** Settings of the program may stand before it, and what a command does behind it. */
const COMMAND =
  /^(?:# .*|(?:npm|sqlite3|psql|pg_dump|umask|export) .*|(?:[A-Z_]+=\S+ )*(?:bin\/)?ledgerstone (?<words>[^#]*).*)$/;

describe('commands for the machine that the service runs on', () => {
  const lines = all.flatMap(({ path, sessions }) =>
    sessions
      .flat()
      .filter(({ kind }) => kind === 'command')
      .flatMap(({ text }) => text.trim().split('\n'))
      .map((line) => ({ path, line })),
  );

  it('are those of the program, of npm, or of a database', () => {
    for (const { path, line } of lines) {
      assert.match(line, COMMAND, path);
    }
  });

  it('make backups that only their owner can read', {
    skip: !isThere('sqlite3') && 'there is no sqlite3 on this machine',
  }, async (test) => {
    const blocks = all.flatMap(({ sessions }) => sessions.flat());
    const backups = blocks.filter(({ text }) =>
      text.includes('sqlite3 data/ledgerstone.db ".backup'),
    );
    assert.ok(backups.length > 0);
    for (const { text } of backups) {
      const cwd = ownFolder(test);
      mkdirSync(join(cwd, 'data'));
      execFileSync('sqlite3', ['data/ledgerstone.db', 'CREATE TABLE t (x)'], { cwd });
      execFileSync('sh', ['-c', `umask 022\n${text}`], { cwd });
      assert.equal(statSync(join(cwd, 'backup.db')).mode & 0o777, 0o600);
    }
  });

  it('have the options that the program has', async (test) => {
    const cwd = ownFolder(test);
    for (const { path, line } of lines) {
      const words = COMMAND.exec(line)?.groups?.words ?? '';
      const [command] = /^[a-z]+(?: [a-z]+)*/.exec(words) ?? [];
      if (command === undefined) continue;
      const { stdout, code } = await run([...command.split(' '), '--help'], { cwd });
      assert.equal(code, 0, `${path}: ${line}`);
      for (const [option] of words.matchAll(/--[a-z-]+/g)) {
        assert.ok(stdout.includes(option), `${path}: ${line}`);
      }
    }
  });
});
