/**
 * The manual's programs say what went wrong: each of them, on whatever page it is added, ends with a failing status and
 * the service's message when a request is refused, and never as if all had gone well; what may pass is tried again, and not for ever.
 */
// needs: --all, program, waits, long
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { ALL } from '../support/all.ts';
import { whenOver } from '../support/at-end.ts';
import { finish, isThere, ownFolder } from '../support/cli-program.ts';
import { pages } from '../support/doc-pages.ts';
import { createReader } from '../support/doc-reader.ts';
import { keyed } from '../support/secret-key.ts';
import { MESSAGE, type Trouble, troubled } from '../support/troubled.ts';
import { until } from '../support/until.ts';
import { served } from '../support/world.ts';

/** Errors of programs that look into an answer which is not the one that they expect. */
const CONFUSED =
  /^\w*(?:KeyError|TypeError|IndexError|AttributeError|NameError|NoMethodError|ReferenceError|SyntaxError)/m;

const LANGUAGES = [
  { language: 'ts', needs: undefined },
  { language: 'python', needs: 'python3' },
];

describe('A program of the manual', { concurrency: 2 }, () => {
  const service = served({ settings: keyed() });

  for (const { language, needs } of LANGUAGES) {
    const skip = needs !== undefined && !isThere(needs) && `there is no ${needs} on this machine`;
    for (const { path, blocks } of pages()) {
      const pieces = blocks
        .filter((block) => block.kind === 'program' && block.language === language)
        .map(({ text }) => text);
      const text = pieces.join('\n');
      if (!text.includes('/v1/') && !text.includes('api.')) continue;

      /** Runs it as one reader does, with that trouble in its way. */
      const run = async (trouble: (request: number, path: string) => Trouble | undefined) => {
        const readers = await service.another();
        const { secret: key } = await readers.newKey({ allow: ['webhooks'] });
        const reader = await createReader({ ...readers, key }, ownFolder());
        const proxy = await troubled(service.url, trouble);
        const ended = await reader.tryProgram(language, pieces, proxy.url);
        return { ...ended, requests: proxy.count(), said: ended.stdout + ended.stderr };
      };

      it(`${path}, ${language}: ends and says so`, { skip }, async () => {
        const well = await run(() => undefined);
        assert.equal(well.code, 0, well.said);
        const { requests } = well;
        // Those that try again what may pass have other answers there.
        for (const status of [401, 409, 413] as const)
          for (
            let from = 1;
            from <= requests;
            from += ALL && status === 401 ? 1 : Math.ceil(requests / 2)
          ) {
            const { code, said } = await run((request) => (request >= from ? status : undefined));
            assert.notEqual(code, 0, `${status} from request ${from} on: ${said}`);
            assert.ok(said.includes(MESSAGE), `${status} from request ${from} on: ${said}`);
            assert.doesNotMatch(said, CONFUSED, `${status} from request ${from} on`);
          }
        // How long the client tries is the client's, and tested there.
        if (text.includes('@ledgerstone/client')) return;
        for (const what of [429, 503, 'cut'] as const) {
          const { code, said } = await run(() => what);
          assert.notEqual(code, 0, `${what}: ${said}`);
          if (what !== 'cut') assert.ok(said.includes(MESSAGE), `${what}: ${said}`);
        }
      });

      if (text.includes('Retry-After'))
        it(`${path}, ${language}: tries again what may pass`, { skip }, async () => {
          const { requests } = await run(() => undefined);
          const survived: Record<string, number> = { 429: 0, 503: 0, cut: 0 };
          for (let at = 1; at <= requests; at += 1)
            for (const what of [429, 503, 'cut'] as const) {
              const { code } = await run((request) => (request === at ? what : undefined));
              if (code === 0) survived[what] = (survived[what] ?? 0) + 1;
            }
          for (const [what, times] of Object.entries(survived)) assert.ok(times > 0, what);
        });

      if (text.includes('upsert_many') || text.includes('.sync('))
        it(`${path}, ${language}: fails where a row was refused`, { skip }, async () => {
          const { code, said } = await run((_, url) =>
            url.includes('upsert_many') ? 'refused row' : undefined,
          );
          assert.notEqual(code, 0, said);
          assert.ok(said.includes(MESSAGE), said);
        });
    }
  }

  const RUNNERS: Readonly<Record<string, string>> = { ts: process.execPath, python: 'python3' };
  for (const { path, blocks } of pages())
    for (const { language, text } of blocks.filter(({ kind }) => kind === 'file')) {
      const [, file = ''] = /^(?:\/\/|#) ([\w-]+\.\w+): /.exec(text) ?? [];
      const runner = RUNNERS[language] ?? '';
      const skip = !isThere(runner) && `there is no ${runner} on this machine`;

      const start = async (
        trouble: (request: number) => Trouble | undefined,
        folder = ownFolder(),
      ) => {
        const readers = await service.another();
        const { secret: KEY } = await readers.newKey({ allow: ['follow_up'] });
        const proxy = await troubled(service.url, trouble);
        writeFileSync(join(folder, file), text);
        const env = { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', API: proxy.url, KEY };
        const child = spawn(runner, [file], {
          cwd: folder,
          env,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        whenOver(() => child.kill('SIGKILL'));
        return { child, end: finish(child), proxy, folder };
      };

      it(`${path}, ${file}: ends and says so, and goes on where it may pass`, {
        skip,
      }, async () => {
        for (const what of [401, 409, 413] as const) {
          const { end } = await start(() => what);
          const { code, stdout, stderr } = await end;
          assert.notEqual(code, 0, `${what}: ${stdout}`);
          assert.ok(stderr.includes(MESSAGE), `${what}: ${stderr}`);
          assert.doesNotMatch(stderr, CONFUSED, String(what));
        }
        for (const what of [429, 503, 'cut'] as const) {
          const { child, end, proxy } = await start((request) =>
            request === 1 ? what : undefined,
          );
          const ended = end.then(() => true);
          await Promise.race([ended, until(() => Promise.resolve(proxy.count() > 2))]);
          child.kill('SIGKILL');
          const { code, stderr } = await end;
          // One that is run again soon says why it could not be done now.
          if (proxy.count() === 1)
            assert.ok(
              code !== 0 && (what === 'cut' || stderr.includes(MESSAGE)),
              `${what}: ${stderr}`,
            );
        }
      });

      if (file !== 'call-list.ts') continue;
      it(`${path}, ${file}: what was not reported stays to be reported`, { skip }, async () => {
        const { end, folder } = await start(() => 401);
        await end;
        const book = new DatabaseSync(join(folder, 'call-list.db'));
        whenOver(() => book.close());
        book.exec(`INSERT INTO report VALUES (1, 'fup_1', 'attempt', '{}', NULL, NULL)`);
        const stored = () => ({ ...book.prepare('SELECT status, message FROM report').get() });
        for (const what of [401, 413, 429, 503, 'cut'] as const) {
          const { code } = await (await start(() => what, folder)).end;
          assert.notEqual(code, 0);
          assert.deepEqual(stored(), { status: null, message: null }, String(what));
        }
        await (await start((request) => (request === 1 ? 409 : undefined), folder)).end;
        assert.deepEqual(stored(), { status: 409, message: MESSAGE });
      });
    }
});
