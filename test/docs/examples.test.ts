/**
 * What the documentation shows can be pasted, and is true. A shell block that calls curl, and a JavaScript block,
 * is run as it is written against a service, in the order of its page; the blocks above it that only set variables
 * say what the reader puts in for `…`. JSON directly below is what it must print. Shell without curl is for the
 * machine that the service runs on: it is not run, and its commands must be ones that are known here.
 */
// needs: --ci, program, waits, long
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { resources } from '../../src/core/resources/index.ts';
import type { NewKey, Permission } from '../../src/store/promises/keys.ts';
import { packages } from '../support/built-client.ts';
import { finish, isThere, ownFolder, run } from '../support/cli-program.ts';
import { type Block, pages } from '../support/doc-pages.ts';
import { createReader } from '../support/doc-reader.ts';
import { pluck } from '../support/pluck.ts';
import { keyed } from '../support/secret-key.ts';
import { served } from '../support/world.ts';

const all = pages();

/** What the key may do that a page tells its reader to get; where it says none, all that is done with records. */
function grantOf(path: string): Partial<Pick<NewKey, 'permissions' | 'allow'>> {
  const text = readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
  const [, words = ''] =
    /You need a key[^\n]*\n\n```sh\nledgerstone keys create ([^\n]*)\n/.exec(text) ?? [];
  const all = (flag: string) => [...words.matchAll(new RegExp(`--${flag} (\\w+)`, 'g'))];
  const named = (flag: string) => all(flag).map(([, word = '']) => word);
  const may = named('permission') as Permission[];
  return { allow: named('allow'), ...(may.length > 0 && { permissions: may }) };
}

const has = (kind: Block['kind']) => (blocks: readonly Block[]) =>
  blocks.some((block) => block.kind === kind);

/** A page by its language, as one reader follows it: the shell, or one program. */
const LANGUAGES = [
  { language: 'sh', needs: 'curl' },
  { language: 'ts', needs: undefined },
  { language: 'python', needs: 'python3' },
];

/** Their commands are run as they stand, by tests of their own. */
const RUN_ELSEWHERE = ['docs/import.md', 'docs/export.md'];

describe('examples against a service', { concurrency: 3 }, () => {
  const settings = keyed();
  const service = served({ settings });

  for (const { language, needs } of LANGUAGES) {
    const skip =
      needs !== undefined && !isThere(needs) && `there is no ${needs} on this machine to run them`;
    for (const { path, blocks } of all) {
      if (RUN_ELSEWHERE.includes(path)) continue;
      const own = blocks.filter((block) =>
        language === 'sh'
          ? block.kind !== 'program'
          : block.kind === 'program' && block.language === language,
      );
      if (!has(language === 'sh' ? 'request' : 'program')(own)) continue;
      it(`${path}, ${language}`, { skip }, async () => {
        // Whoever reads a page has an account of their own.
        const readers = await service.another();
        // With the key that the page says one needs, and no more.
        const { secret: key } = await readers.newKey(grantOf(path));
        const reader = await createReader({ ...readers, key }, ownFolder());
        if (language !== 'sh') {
          await reader.runProgram(
            language,
            own.map(({ text }) => text),
          );
          return;
        }
        for (const block of own) {
          await reader.follow(block).catch((error: Error) => {
            error.message = `${path}, line ${block.line}: ${error.message}`;
            throw error;
          });
        }
      });
    }
  }

  it('are on the pages for those who integrate, in every language', () => {
    const inAll = all.filter(({ blocks }) =>
      ['sh', 'ts', 'python'].every((language) =>
        blocks.some((block) => block.language === language && block.text.includes('/v1/')),
      ),
    );
    const guides = [
      'bulk',
      'changes',
      'errors-and-retries',
      'merging',
      'pagination',
      'quick-start',
    ].map((name) => `docs/${name}.md`);
    const records = resources.map(({ path }) => `docs/resources/${path}.md`).sort();
    assert.deepEqual(pluck(inAll, 'path'), [...guides, ...records]);
  });

  it('show every operation in every language', () => {
    for (const { path, blocks } of all.filter(({ path }) => path.startsWith('docs/resources/'))) {
      const groups = blocks.filter(
        ({ text }) => text.includes('/v1/') && !text.includes('urlencode'),
      );
      const counts = ['sh', 'ts', 'python'].map(
        (language) => groups.filter((block) => block.language === language).length,
      );
      assert.ok((counts[0] ?? 0) >= 2, path);
      assert.ok(
        (counts[1] ?? 0) >= (counts[0] ?? 0) && counts[1] === counts[2],
        `${path}: ${counts}`,
      );
    }
  });
});

/** Settings of the program may stand before it, and what a command does behind it. */
const COMMAND =
  /^(?:# .*|[A-Z_]+=(?:\S*|"[^"]*"|\$\(psql .*\))|until \[ "\$\(psql .*\)" = \S+ \]; do \w+ \d; done|(?:npm|sqlite3|psql|pg_dump|sudoedit|umask|mkdir|mv|cat >|echo|export|podman|cd|sha256sum|sudo (?:tar|mkdir|cp|ln|install|systemctl|journalctl|useradd|chown|sh)) .*|(?:sudo )?(?:timeout \d+ )?(?:[A-Z_]+=\S+ )*(?:\S*bin\/)?ledgerstone (?<words>[^#]*).*)$/;

describe('commands for the machine that the service runs on', () => {
  const here = all.filter(({ path }) => !RUN_ELSEWHERE.includes(path));
  const lines = here.flatMap(({ path, blocks }) =>
    blocks
      .filter(({ kind }) => kind === 'command')
      // What a file is to hold is no command, and a line that goes on is one.
      .flatMap(({ text }) =>
        text
          .replaceAll(/<<'END'\n[\s\S]*?\nEND|\\\n */g, '')
          .trim()
          .split('\n'),
      )
      .map((line) => ({ path, line })),
  );

  it('are those of the program, of npm, or of a database', () => {
    for (const { path, line } of lines) {
      assert.match(line, COMMAND, path);
    }
  });

  it('have the options that the program has', async () => {
    const cwd = ownFolder();
    const helps = new Map<string, ReturnType<typeof run>>();
    for (const { path, line } of lines) {
      const words = COMMAND.exec(line)?.groups?.words ?? '';
      const [command] = /^[a-z][a-z-]*(?: [a-z][a-z-]*)*/.exec(words) ?? [];
      if (command === undefined) continue;
      const help = helps.get(command) ?? run([...command.split(' '), '--help'], { cwd });
      helps.set(command, help);
      const { stdout, code } = await help;
      assert.equal(code, 0, `${path}: ${line}`);
      for (const [option] of words.matchAll(/--[a-z-]+/g)) {
        assert.ok(stdout.includes(option), `${path}: ${line}`);
      }
    }
  });
});

describe('programs in TypeScript', () => {
  it('are what a strict compiler takes', async () => {
    const cwd = ownFolder();
    const project = join(import.meta.dirname, '../..');
    const options = {
      target: 'esnext',
      lib: ['esnext'],
      module: 'nodenext',
      types: ['node'],
      typeRoots: [join(project, 'node_modules/@types')],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
    };
    writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
    symlinkSync(packages(), join(cwd, 'node_modules'));
    for (const { path, blocks } of all) {
      const own = blocks.filter(({ language }) => language === 'ts');
      const pieces = own.filter(({ kind }) => kind === 'program').map(({ text }) => text);
      const files = own.filter(({ kind }) => kind === 'file').map(({ text }) => text);
      for (const [index, text] of [pieces.join('\n'), ...files].entries()) {
        if (text !== '') writeFileSync(join(cwd, `${basename(path, '.md')}-${index}.mts`), text);
      }
    }
    const compiler = join(project, 'node_modules/typescript-7/bin/tsc');
    const compiled = spawn(process.execPath, [compiler, '-p', cwd], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { code, stdout } = await finish(compiled);
    assert.equal(code, 0, stdout);
  });
});
