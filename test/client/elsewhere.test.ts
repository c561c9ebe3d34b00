/** The client in programs of others: older compilers, CommonJS, bundlers, runners of tests, and Workers. */
// needs: --ci, both stores with --all, long

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { ALL } from '../support/all.ts';
import { ownFolder } from '../support/cli-program.ts';
import { complaints, everyCompiler, write } from '../support/compile.ts';
import { EXTRAS, lacks } from '../support/extras.ts';
import { installClient } from '../support/packed-client.ts';
import { world } from '../support/world.ts';

const run = promisify(execFile);
const require = createRequire(join(EXTRAS, 'any.js'));

const stage = world();

/** A folder of somebody's project, with the client and what it needs of test/extras. */
async function project(type: 'module' | 'commonjs', packages: readonly string[] = []) {
  const folder = ownFolder();
  write(folder, { 'package.json': JSON.stringify({ private: true, type }) });
  await installClient(folder, stage.service.url);
  for (const name of packages) symlinkSync(join(EXTRAS, name), join(folder, 'node_modules', name));
  return folder;
}

const environment = () => {
  const { url: API, key: KEY } = stage.service;
  return { PATH: process.env.PATH ?? '', API, KEY, ACCOUNT: stage.parents.account };
};

const BETWEEN = ['5.1', '5.2', '5.3', '5.4', '5.5', '5.6', '5.7', '5.8'];
/** TypeScript as people have it, from the first version that the client's page names to the newest. */
const VERSIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['5.0', ...(ALL ? BETWEEN : []), '6.0'].map((version) => [
      `TypeScript ${version}`,
      join(EXTRAS, `typescript-${version}/bin/tsc`),
    ]),
  ),
  ...everyCompiler,
};

/** How programs are resolved and written out; the last one ends with TypeScript 5. */
const SHAPES = {
  'as an ES module of Node': { file: 'program.mts', module: 'nodenext' },
  'as CommonJS of Node': { file: 'program.cts', module: 'nodenext' },
  'for a bundler': { file: 'program.ts', module: 'esnext', moduleResolution: 'bundler' },
  'as CommonJS by the rules before package exports': {
    ...{ file: 'program.ts', module: 'commonjs', moduleResolution: 'node10' },
  },
};

const typed = `import { answerOf, ExactNumber, Ledgerstone, LedgerstoneError, verifyWebhook } from '@ledgerstone/client';
import type { FuneralEventUpsert, RowAnswer } from '@ledgerstone/client';

const upsert: FuneralEventUpsert = {
  location_unique_identifier: 'loc_1',
  external_identifier: 'case-1041',
  event_name: 'Celebration of life',
  event_datetime: '2027-03-20T09:30:00-05:00',
  additional_event_metadata: { total: new ExactNumber('1.10') },
};

export async function main(key: string, url: string): Promise<string[]> {
  const api = new Ledgerstone({ key, url });
  const event = await api.events.upsert(upsert, { dryRun: true });
  const said: string[] = [event.event_name, answerOf(event)?.outcome ?? ''];
  for await (const one of api.events.list({ expand: ['location'] })) said.push(one.location.location_name);
  const counts: number = (await api.events.upsertMany([upsert])).created;
  const rows: RowAnswer<FuneralEventUpsert>[] = [];
  for await (const row of api.events.upsertMany([upsert])) rows.push(row);
  const told = await verifyWebhook({ 'webhook-id': 'x' }, '{}', 'whsec_x');
  if (told.type === 'event.updated') said.push(told.data.record_now?.event_name ?? '');
  try {
    // @ts-expect-error a misspelt field
    await api.events.upsert({ ...upsert, event_nam: 'x' });
    // @ts-expect-error a resource that there is not
    api.event;
  } catch (error) {
    if (error instanceof LedgerstoneError) said.push(error.code, String(counts + rows.length));
  }
  return said;
}
`;

describe('TypeScript compiles programs without skipLibCheck', () => {
  for (const [version, compiler] of Object.entries(VERSIONS)) {
    const isOld = /^TypeScript 5/.test(version);
    for (const [shape, { file, ...options }] of Object.entries(SHAPES)) {
      if (shape.includes('before') && !isOld) continue;
      const skip = lacks(relative(EXTRAS, compiler));
      it(`${version}, ${shape}`, { skip }, async () => {
        const folder = await project('commonjs');
        write(folder, { [file]: typed });
        const how = {
          ...options,
          lib: ['es2022', 'dom', 'dom.iterable'],
          allowImportingTsExtensions: false,
        };
        const found = await complaints(folder, compiler, how, ['program.*']);
        assert.deepEqual([...found.values()], []);
      });
    }
  }
});

/** What a program does with the client, and prints. `loaded` has it. */
const does = `
  const { API, KEY, ACCOUNT } = process.env;
  const { answerOf, ConnectionError, Ledgerstone, LedgerstoneError } = loaded;
  const api = new Ledgerstone({ key: KEY, url: API });
  const fields = { account_unique_identifier: ACCOUNT, external_identifier: 'elsewhere', location_name: 'Chapel' };
  const made = await api.locations.upsert(structuredClone(fields));
  const counts = await api.locations.upsertMany([fields]);
  const refused = await api.locations.retrieve('loc_nothing').catch((error) => error);
  const closed = new Ledgerstone({ key: KEY, url: 'http://127.0.0.1:9', tries: 1 });
  const away = await closed.accounts.list().page().catch((error) => error);
  return {
    made: [made.location_name, ['created', 'unchanged'].includes(answerOf(made).outcome), counts.unchanged],
    refused: [refused.name, refused instanceof LedgerstoneError, refused.code],
    away: [away.name, away instanceof ConnectionError, away.code],
  };`;
const DONE = {
  made: ['Chapel', true, 1],
  refused: ['InvalidRequestError', true, 'resource_missing'],
  away: ['ConnectionError', true, 'connection_failed'],
};

const commonjs = `(async () => {
  const main = async (loaded) => {${does}
  };
  const required = require('@ledgerstone/client');
  const imported = await import('@ledgerstone/client');
  const isOne = required.LedgerstoneError === imported.LedgerstoneError;
  console.log(JSON.stringify({ ...(await main(required)), isOne }));
})();`;
const esModule = `import * as loaded from '@ledgerstone/client';
const main = async () => {${does}
};
console.log(JSON.stringify(await main()));`;

describe('CommonJS loads it with require(), as the module that import has', () => {
  const nodes = ['node-20', 'node-22', 'node-24'];
  const programs = [
    ['Node 26', process.execPath, false],
    ...nodes.map((name) => [name, join(EXTRAS, name, 'bin', 'node'), lacks(name)] as const),
    ['Bun', join(EXTRAS, '@oven/bun-linux-x64/bin/bun'), lacks('@oven/bun-linux-x64')],
  ] as const;
  for (const [name, program, skip] of programs)
    it(`in ${name}`, { skip }, async () => {
      const folder = await project('commonjs');
      write(folder, { 'program.cjs': commonjs });
      const { stdout, stderr } = await run(program, ['program.cjs'], {
        cwd: folder,
        env: environment(),
      });
      assert.equal(stderr, '');
      assert.deepEqual(JSON.parse(stdout), { ...DONE, isOne: true });
    });
});

/** How each bundler makes `out.cjs` or `out.mjs` of `program.mjs`, with names made short. */
const bundlers: Readonly<
  Record<string, { skip: string | false; make: (folder: string) => Promise<unknown>; out: string }>
> = {
  'esbuild as an ES module': {
    skip: false,
    out: 'out.mjs',
    make: (folder) =>
      build({
        ...{ absWorkingDir: folder, entryPoints: ['program.mjs'], outfile: 'out.mjs' },
        ...{ bundle: true, minify: true, format: 'esm', platform: 'neutral' },
      }),
  },
  'esbuild as CommonJS': {
    skip: false,
    out: 'out.cjs',
    make: (folder) =>
      build({
        ...{ absWorkingDir: folder, entryPoints: ['program.cjs'], outfile: 'out.cjs' },
        ...{ bundle: true, minify: true, format: 'cjs', platform: 'node' },
      }),
  },
  webpack: {
    skip: lacks('webpack'),
    out: 'out.cjs',
    make: (folder) =>
      new Promise((resolve, reject) => {
        const webpack = require('webpack');
        const output = { path: folder, filename: 'out.cjs' };
        const how = {
          mode: 'production',
          target: 'node',
          context: folder,
          entry: './program.mjs',
          output,
        };
        webpack(how, (error: Error | null, stats: { hasErrors(): boolean; toString(): string }) => {
          if (error !== null || stats.hasErrors()) reject(error ?? new Error(stats.toString()));
          else resolve(undefined);
        });
      }),
  },
  vite: {
    skip: lacks('vite'),
    out: 'out.mjs',
    make: async (folder) => {
      const vite = await import(require.resolve('vite'));
      const rollupOptions = { input: 'program.mjs', output: { entryFileNames: 'out.mjs' } };
      await vite.build({
        ...{ root: folder, logLevel: 'silent', configFile: false, ssr: { noExternal: true } },
        build: { ssr: true, minify: true, outDir: '.', emptyOutDir: false, rollupOptions },
      });
    },
  },
};

describe('behind a bundler that shortens names, errors keep theirs', () => {
  for (const [name, { skip, make, out }] of Object.entries(bundlers))
    it(name, { skip }, async () => {
      const folder = await project('module');
      write(folder, { 'program.mjs': esModule, 'program.cjs': commonjs });
      await make(folder);
      const alone = ownFolder();
      symlinkSync(join(folder, out), join(alone, out));
      const words = ['--preserve-symlinks-main', join(alone, out)];
      const { stdout } = await run(process.execPath, words, { cwd: alone, env: environment() });
      const { isOne, ...done } = JSON.parse(stdout);
      assert.deepEqual(done, DONE);
      assert.notEqual(isOne, false);
    });
});

const tested = (load: string): string => `${load}
test('does what it does elsewhere', async () => {
  const main = async (loaded) => {${does}
  };
  expect(await main(loaded)).toEqual(${JSON.stringify(DONE)});
});
test('takes what other realms have made', async () => {
  const { Ledgerstone } = loaded;
  const sent = [];
  const fetch = async (_url, { body }) => {
    sent.push(body);
    return new Response('{"object":"location"}');
  };
  const api = new Ledgerstone({ key: 'sk_test_x', url: 'http://localhost', fetch });
  await api.events.upsert(structuredClone({ event_datetime: new Date(0), metadata: { list: [1n] } }));
  expect(sent).toEqual(['{"event_datetime":"1970-01-01T00:00:00.000Z","metadata":{"list":[1]}}']);
  const file = await new Response('a file').arrayBuffer();
  for (const bytes of [file, new Uint8Array(file), new Blob([file])])
    await api.uploads.create(bytes, { name: 'a file.csv' });
  expect(sent.length).toBe(4);
  const headers = { 'webhook-id': 'chg_1', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)), 'webhook-signature': 'v1,AAAA' };
  const secret = 'whsec_' + btoa('a secret of thirty-two bytes, no?');
  await expect(loaded.verifyWebhook(headers, file, secret)).rejects.toThrow(/was not signed with this secret/);
  const closed = new Ledgerstone({ key: 'sk_test_x', url: 'http://127.0.0.1:9', tries: 1 });
  await expect(closed.accounts.list().page()).rejects.toThrow(/could not be reached: .*(ECONNREFUSED|bad port)/);
});
`;

describe('runners of tests load it', () => {
  it('jest, with require()', { skip: lacks('jest') }, async () => {
    const folder = await project('commonjs', ['jest']);
    write(folder, {
      'jest.config.json': '{}',
      'client.test.js': tested("const loaded = require('@ledgerstone/client');"),
    });
    const words = [join(EXTRAS, 'jest/bin/jest.js'), '--ci', '--watchman=false'];
    await run(process.execPath, words, { cwd: folder, env: environment() });
  });

  it('vitest, with import', { skip: lacks('vitest') }, async () => {
    const folder = await project('module', ['vitest']);
    const load = `import { expect, test } from 'vitest';\nimport * as loaded from '@ledgerstone/client';`;
    write(folder, { 'client.test.js': tested(load) });
    for (const pool of ['threads', 'forks', 'vmThreads']) {
      const words = [join(EXTRAS, 'vitest/vitest.mjs'), 'run', `--pool=${pool}`];
      await run(process.execPath, words, { cwd: folder, env: environment() });
    }
  });

  it('msw answers what a client asks that was made before', { skip: lacks('msw') }, async () => {
    const folder = await project('module', ['msw']);
    write(folder, {
      'program.mjs': `import { Ledgerstone } from '@ledgerstone/client';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
const api = new Ledgerstone({ key: 'sk_test_x', url: 'https://records.example.com' });
const server = setupServer(
  http.get('https://records.example.com/v1/locations/:id', ({ params, request }) =>
    HttpResponse.json({ object: 'location', unique_identifier: params.id, location_name: request.headers.get('Authorization') })),
);
server.listen({ onUnhandledRequest: 'error' });
console.log((await api.locations.retrieve('loc_1')).location_name);
server.close();
`,
    });
    const { stdout } = await run(process.execPath, ['program.mjs'], {
      cwd: folder,
      env: environment(),
    });
    assert.equal(stdout, 'Bearer sk_test_x\n');
  });
});

it('runs in a Worker of Cloudflare', { skip: lacks('miniflare') }, async () => {
  const folder = await project('module');
  const worker = `import * as loaded from '@ledgerstone/client';
export default {
  async fetch(_request, env) {
    const process = { env };
    const main = async () => {${does}
    };
    return Response.json(await main());
  },
};`;
  write(folder, { 'worker.mjs': worker });
  const made = await build({
    ...{ absWorkingDir: folder, entryPoints: ['worker.mjs'], bundle: true, write: false },
    ...{ format: 'esm', platform: 'neutral', conditions: ['workerd', 'worker', 'browser'] },
  });
  const { Miniflare } = require('miniflare');
  const { PATH: _, ...bindings } = environment();
  const flare = new Miniflare({
    ...{ modules: true, script: made.outputFiles[0]?.text, bindings },
    compatibilityDate: '2026-01-01',
  });
  try {
    const answer = await flare.dispatchFetch('http://localhost/');
    assert.deepEqual(await answer.json(), DONE);
  } finally {
    await flare.dispose();
  }
});
