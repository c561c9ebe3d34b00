/** Somebody who reads a page and runs its blocks, as they are written, in one folder: shell by shell, or as a program. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { examples } from './bodies.ts';
import { packages } from './built-client.ts';
import { finish } from './cli-program.ts';
import type { Block } from './doc-pages.ts';
import type { Body, Service } from './service.ts';

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
    assert.ok(!text.includes('…'), `It cannot be pasted, something is left out: ${text}`);
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
    /** Runs pieces of a program, one below the other, against the service or what stands before it. */
    tryProgram(language: string, pieces: readonly string[], url = service.url) {
      const { file, program } = PROGRAMS[language] ?? {};
      assert.ok(file !== undefined && program !== undefined, language);
      const text = pieces.join('\n').replaceAll(SHOWN_API, url);
      writeFileSync(join(folder, file), text.replace(TO_COMPLETE, completed));
      return run(program, [file]);
    },
    /** The same; throws where it fails. */
    async runProgram(language: string, pieces: readonly string[]) {
      const { code, stderr } = await this.tryProgram(language, pieces);
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

const REST = '…';
/** Whole, or its beginning: with the time the digits after the prefix become others. */
const IDENTIFIER = /^([a-z]+_)(?:[0-9A-Za-z]{22}|[0-9A-Za-z]+…)$/;
/** What is another at every run. */
const TIMES = ['inserted_at', 'updated_at'];

/**
 * What is shown is true of what was answered: the same members, and the same values but for identifiers
 * (which have the same prefix) and times of the service's clock. `…` leaves out: within a text any text, in an
 * object any members, in an array any elements. A list may hold more records than are shown.
 */
export function assertShown(shownText: string, answered: string): void {
  const shown = readShown(shownText);
  const lines = answered.trim().split('\n');
  if (shown.length === 1) assertLike(shown[0], JSON.parse(answered), 'the answer');
  else {
    assert.equal(lines.length, shown.length, answered);
    for (const [index, line] of lines.entries()) {
      assertLike(shown[index], JSON.parse(line), `line ${index + 1}`);
    }
  }
}

/** One JSON value, or one a line. */
function readShown(text: string): Body[] {
  const whole = text
    .replaceAll(/,\s*…(?=\s*[,}])/g, `,"${REST}":"${REST}"`)
    .replaceAll(/,\s*…\s*\]/g, `,"${REST}"]`);
  try {
    return [JSON.parse(whole)];
  } catch {
    return whole
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }
}

function assertLike(shown: Body, actual: Body, path: string): void {
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (typeof shown === 'string') {
    assert.equal(typeof actual, 'string', path);
    assert.match(actual, patternOf(shown, name), path);
  } else if (Array.isArray(shown)) {
    assert.ok(Array.isArray(actual), path);
    const elements = shown.filter((one) => one !== REST);
    if (elements.length === shown.length && name !== 'data') {
      assert.equal(actual.length, shown.length, path);
    }
    for (const [index, one] of elements.entries())
      assertLike(one, actual[index], `${path}.${index}`);
  } else if (typeof shown === 'object' && shown !== null) {
    assert.ok(typeof actual === 'object' && actual !== null, path);
    const names = Object.keys(shown).filter((key) => key !== REST);
    const all = !(REST in shown);
    assert.deepEqual(
      Object.keys(actual)
        .filter((key) => all || names.includes(key))
        .sort(),
      names.sort(),
      path,
    );
    for (const key of names) assertLike(shown[key], actual[key], `${path}.${key}`);
  } else {
    assert.equal(actual, shown, path);
  }
}

function patternOf(shown: string, name: string): RegExp {
  if (TIMES.includes(name)) return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
  const [, prefix] = IDENTIFIER.exec(shown) ?? [];
  if (prefix !== undefined) return new RegExp(`^${prefix}[0-9A-Za-z]{22}$`);
  return new RegExp(`^${shown.split(REST).map(RegExp.escape).join('.*')}$`, 's');
}
