/**
 * What the documentation shows can be pasted, and is true. A shell block that calls curl, and a JavaScript block,
 * is run as it is written against a service, in the order of its page; the blocks above it that only set variables
 * say what the reader puts in for `…`. JSON directly below is what it must print. Shell without curl is for the
 * machine that the service runs on: it is not run, and its commands must be ones that are known here.
 */
import assert from 'node:assert/strict';
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
  /^(?:# .*|(?:npm|sqlite3|psql|pg_dump) .*|(?:[A-Z_]+=\S+ )*(?:bin\/)?ledgerstone (?<words>[^#]*).*)$/;

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
