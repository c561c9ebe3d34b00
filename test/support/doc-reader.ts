/** Somebody who reads a page and runs its blocks, as they are written, in one folder: shell by shell, or as a program. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { examples } from './bodies.ts';
import { packages } from './built-client.ts';
import { finish } from './cli-program.ts';
import type { Block } from './doc-pages.ts';
import type { Service } from './service.ts';
import { assertShown } from './shown-answer.ts';

/** The address that the pages show. */
const SHOWN_API = 'http://127.0.0.1:8080';

type Variables = Record<string, string>;

const PROGRAMS: Readonly<Record<string, { readonly file: string; readonly program: string }>> = {
  ts: { file: 'page.mts', program: process.execPath },
  python: { file: 'page.py', program: 'python3' },
};
/** A variable that the reader completes, in TypeScript or Python. */
const TO_COMPLETE = /^((?:const )?(\w+) = (['"]))(\w*)…(?=\3)/gm;

/** A reader who has the service, its key and a record of each resource, to which nothing belongs. */
export async function createReader(service: Service, folder: string) {
  const own = await recordsOf(service);
  const variables: Variables = {};
  let answered = '';
  // Without its progress, and with the status of each answer beside what the reader sees.
  writeFileSync(
    join(folder, '.curlrc'),
    'silent\nshow-error\nwrite-out = "%{stderr}%{http_code}\\n"\n',
  );

  // As after npm install.
  symlinkSync(packages(), join(folder, 'node_modules'));

  const run = (program: string, words: readonly string[]) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { NODE_NO_WARNINGS: '1', NODE_COMPILE_CACHE, PATH, HOME: folder, ...variables };
    return finish(spawn(program, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }));
  };

  const setVariable = (line: string): void => {
    const [, name = '', value = '', comment = ''] = /^(\w+)=(\S*) *(.*)$/.exec(line) ?? [];
    variables[name] = value === SHOWN_API ? service.url : value;
    if (!value.includes('…')) return;
    const filled = comment.includes('of the answer')
      ? JSON.parse(answered).unique_identifier
      : own[name];
    assert.ok(filled?.startsWith(value.replace('…', '')), `${line}: ${filled}`);
    variables[name] = filled;
  };

  const request = async ({ language, text }: Block): Promise<void> => {
    assert.ok(!text.includes('…'), 'It cannot be pasted: something is left out.');
    const { code, stdout, stderr } =
      language === 'js'
        ? await run(process.execPath, ['--input-type=module', '--eval', text])
        : await run('sh', ['-c', text]);
    assert.equal(code, 0, stderr);
    const [, refused] = /^# answered with (\d{3})$/m.exec(text) ?? [];
    if (language === 'sh') {
      const statuses = stderr.trim().split('\n');
      for (const status of statuses) assert.equal(status, refused ?? '200', stdout);
    }
    // What -i shows before the body stands above an empty line.
    answered = stdout.slice(stdout.lastIndexOf('\r\n\r\n') + 1).trim();
  };

  const completed = (_: string, start: string, name: string, __: string, prefix: string) => {
    assert.ok(own[name]?.startsWith(prefix), name);
    return start + own[name];
  };

  return {
    /** Runs pieces of a program, one below the other. Throws where it fails. */
    async runProgram(language: string, pieces: readonly string[]) {
      const { file, program } = PROGRAMS[language] ?? {};
      assert.ok(file !== undefined && program !== undefined, language);
      const text = pieces.join('\n').replaceAll(SHOWN_API, service.url);
      writeFileSync(join(folder, file), text.replace(TO_COMPLETE, completed));
      const { code, stderr } = await run(program, [file]);
      assert.equal(code, 0, stderr);
    },
    /** Does what the block is there for; throws where it does not go as the page says. */
    async follow(block: Block) {
      if (block.kind === 'variables') {
        for (const line of block.text.trim().split('\n')) setVariable(line);
      } else if (block.kind === 'request') await request(block);
      else if (block.kind === 'answer') {
        assertShown(block.text, answered.replaceAll(service.url, SHOWN_API));
      }
    },
  };
}

/** What a reader puts in for `…`, by the names of the variables. */
async function recordsOf(service: Service): Promise<Variables> {
  const location = await service.location('parents');
  const event = await service.event(location, 'parents');
  const parents = { account: service.account.unique_identifier, location, event };
  const records: Variables = { KEY: service.key, ACCOUNT: parents.account };
  for (const { path, parent, least } of examples) {
    const { body } = await service.json(`/v1/${path}/upsert`, {
      ...least,
      [`${parent}_unique_identifier`]: parents[parent],
    });
    records[body.object.toUpperCase()] = body.unique_identifier;
  }
  // A page of two has another after it.
  await service.event(location, 'another');
  const { body: sources } = await service.get('/v1/sources');
  return { ...records, SOURCE: sources.data[0].unique_identifier };
}
