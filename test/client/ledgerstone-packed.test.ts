/** The client as the service packs it: installed into an empty project, compiled strictly, run on every runtime. */
// needs: both stores with --all

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { whenOver } from '../support/at-end.ts';
import { ownFolder } from '../support/cli-program.ts';
import { compilers, complaints, write } from '../support/compile.ts';
import { EXTRAS, foreignEnv, lacks } from '../support/extras.ts';
import { installClient } from '../support/packed-client.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { world } from '../support/world.ts';

const run = promisify(execFile);
const PROJECT = join(import.meta.dirname, '..', '..');

/** How each runtime starts a program. */
const runtimes: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  'Node 26': [process.execPath],
  'Node 24': [join(EXTRAS, 'node-24/bin/node')],
  'Node 22': [join(EXTRAS, 'node-22/bin/node')],
  'Node 20': [join(EXTRAS, 'node-20/bin/node')],
  Deno: [join(EXTRAS, '@deno/linux-x64-glibc/deno'), 'run', '--allow-net', '--allow-env'],
  Bun: [join(EXTRAS, '@oven/bun-linux-x64/bin/bun')],
};
/** Why a test is skipped whose runtime is not there. */
const skipOf = (command: string): string | false => lacks(relative(EXTRAS, command));
const listening = join('node_modules', '.bin', 'ledgerstone-listen');
const syncing = join('node_modules', '.bin', 'ledgerstone-sync');

/** What a reader of the client's own page writes, and what each line comes to. */
const right = `import { ExactNumber, Ledgerstone, LedgerstoneError, RateLimitError, answerOf, parseJson, toJson, verifyWebhook } from '@ledgerstone/client';
import type { FuneralEvent, FuneralEventUpsert, RowAnswer, WebhookNotification } from '@ledgerstone/client';

const api = new Ledgerstone({ key: 'sk_test_x', url: 'https://records.example.com' });

const upsert: FuneralEventUpsert = {
  location_external_identifier: 'riverside',
  account_unique_identifier: 'acct_1',
  external_identifier: 'case-1041',
  event_name: 'Celebration of life',
  event_datetime: '2027-03-20T09:30:00-05:00',
  person: { full_name: 'Jane Doe', date_of_birth: null, date_of_death: undefined },
  additional_event_metadata: { flowers: ['lilies'], seating: { rows: 12 }, ledger: [12345678901234567890n, new ExactNumber('1.10')] },
};
const event: FuneralEvent = await api.events.upsert(upsert, { mode: 'create_only', dryRun: true });
const outcome: 'created' | 'updated' | 'unchanged' | 'deleted' | undefined = answerOf(event)?.outcome;
const flowers: unknown = event.public_data.additional_event_metadata?.['flowers'];
const digits: string = flowers instanceof ExactNumber ? flowers.text : toJson(parseJson('[1.10]'));
const changed = await api.events.patch(event.unique_identifier, { person: null }, { expand: ['identifiers'] });
const account: string | undefined = changed.identifiers.account_unique_identifier;
await api.events.remove({ location_unique_identifier: 'loc_1', external_identifier: 'case-1041' });

for await (const one of api.events.list({ event_datetime: { gte: '2027-01-01T00:00:00Z' }, expand: ['location'] })) {
  const name: string = one.location.location_name;
  console.log(name, one.event_name);
}
const read = await api.event_check_in_records.retrieve('ecr_1', { expand: ['event', 'account'] });
const group: string = read.account.name + read.event.event_name;

async function* rows() {
  yield upsert;
}
for await (const row of api.events.upsertMany(rows(), { rows: 100 })) {
  if (row.error !== undefined) console.log(row.index, row.error.code === 'resource_missing', row.row.event_name);
  else console.log(row.outcome === 'created', row.unique_identifier);
}
const answers: RowAnswer<FuneralEventUpsert>[] = [];

for await (const page of api.changes.list({ expand: ['record'] })) {
  for (const change of page.data) {
    const id: string | undefined = change.record_now?.unique_identifier;
    if (change.resource === 'event') console.log(id, change.record_now?.public_data, change.outcome);
  }
}

const notification: WebhookNotification = await verifyWebhook(new Headers(), '', 'whsec_x');
if (notification.type === 'event.updated') {
  const { record_now, changed, outcome } = notification.data;
  const named: string | undefined = record_now?.event_name;
  const only: 'updated' = outcome;
  console.log(named, only, changed.includes('event_name'));
} else if (notification.type === 'proposal.created') {
  console.log(notification.data.record);
}

try {
  await api.locations.remove('loc_1', { cascade: true });
} catch (error) {
  if (error instanceof RateLimitError) {
    const code: 'rate_limited' | 'memory_limited' | (string & {}) = error.code;
    console.log(code, error.retryAfter);
  } else if (error instanceof LedgerstoneError && error.code === 'connection_failed') {
    console.log(error.errors.map(({ param, code }) => [param, code]), error.requestId);
  } else throw error;
}
export { account, answers, digits, flowers, group, outcome };
`;

/** Where programs are written for. */
const surroundings: Readonly<Record<string, object>> = {
  'for Node': {
    lib: ['es2022'],
    typeRoots: [join(PROJECT, 'node_modules', '@types')],
    types: ['node'],
    allowImportingTsExtensions: false,
    // The types of Node do not keep to the strictest rules themselves.
    skipLibCheck: true,
  },
  'for browsers': {
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: false,
  },
};

const start = `import { Ledgerstone, verifyWebhook, type LedgerstoneError, type RowAnswer } from '@ledgerstone/client';
const api = new Ledgerstone({ key: 'sk_test_x', url: 'https://records.example.com' });
const named = { external_identifier: 'case-1041', event_name: 'x', event_datetime: '2027-03-20T09:30:00Z' };
const event = { ...named, location_unique_identifier: 'loc_1' };
declare const error: LedgerstoneError;
declare const row: RowAnswer<typeof event>;
const { type, data } = await verifyWebhook(new Headers(), '', 'whsec_x');
`;

/** Programs that must not compile, and what the compiler is to name. */
const wrong: Readonly<Record<string, readonly [program: string, says: RegExp]>> = {
  'a notification that there is not': ['console.log(type === "event.changed");', /event\.changed/],
  'a field of another resource in a notification': [
    'if (type === "event.created") console.log(data.record_now?.location_name);',
    /location_name/,
  ],
  'a misspelt field': ['api.events.upsert({ ...event, event_nam: "x" });', /event_nam/],
  'a misspelt field of a patch': ['api.events.patch("evt_1", { event_nam: "x" });', /event_nam/],
  'a misspelt member': [
    'api.events.upsert({ ...event, person: { full_name: "x", birth: "" } });',
    /birth/,
  ],
  'a required field that is missing': [
    'api.events.upsert({ location_unique_identifier: "loc_1", external_identifier: "x", event_name: "x" });',
    /event_datetime/,
  ],
  'a required field that is removed': [
    'api.events.upsert({ ...event, event_name: null });',
    /null/,
  ],
  'no parent': ['api.events.upsert(named);', /location_/],
  'a parent named in two ways': [
    'api.events.upsert({ ...event, location_external_identifier: "riverside", account_unique_identifier: "acct_1" });',
    /_identifier/,
  ],
  'a removal by half a name': [
    'api.events.remove({ external_identifier: "case-1041" });',
    /location_|not assignable/,
  ],
  'a record of a change that was not asked for': [
    'export const now = (await api.changes.list().page()).data[0]?.record_now;',
    /record_now/,
  ],
  'a field of another resource in a change': [
    'for (const change of (await api.changes.list({ expand: ["record"] }).page()).data) if (change.resource === "event") console.log(change.record_now?.location_name);',
    /location_name/,
  ],
  'a filter that there is not': ['api.events.list({ event_name: "x" });', /event_name/],
  'an expansion that there is not': ['api.events.list({ expand: ["event"] });', /event/],
  'an expansion that was not asked for': [
    'export const name = (await api.events.retrieve("evt_1")).location;',
    /location/,
  ],
  'a resource that there is not': ['api.event;', /event/],
  'an upsert of what is only read': ['api.accounts.upsert({});', /upsert/],
  'a status that is text': ['export const again = error.status === "429";', /number/],
  'an outcome of a row that was refused': [
    'if (row.error !== undefined) { const outcome: string = row.outcome; }',
    /undefined/,
  ],
  'a row with a misspelt field': [
    'async function* rows() { yield { ...event, event_nam: "x" }; } api.events.upsertMany(rows());',
    /event_nam/,
  ],
  'a row with a misspelt field in a list': [
    'api.events.upsertMany([{ ...event, event_nam: "x" }]);',
    /event_nam/,
  ],
  'a row without a parent': ['api.events.upsertMany([named]);', /location_/],
};

const program = `import { ExactNumber, Ledgerstone, LedgerstoneError, answerOf, toJson } from '@ledgerstone/client';

const env = globalThis.Deno?.env.toObject() ?? process.env;
const api = new Ledgerstone({ key: env.KEY, url: env.API });
const location = (external_identifier) => ({
  account_unique_identifier: env.ACCOUNT, external_identifier, location_name: 'Main Street Chapel',
});
const made = await api.locations.upsert(location(env.NAME));
const outcomes = [answerOf(made).outcome];
async function* rows() {
  for (let index = 0; index < 30; index += 1) yield location(env.NAME + ' ' + index);
  yield { ...location('refused'), location_name: '' };
}
for await (const { outcome, error } of api.locations.upsertMany(rows(), { rows: 10 })) outcomes.push(outcome ?? error.code);
let walked = 0;
for await (const _ of api.locations.list({ limit: 10 })) walked += 1;
const refused = await api.locations.retrieve('loc_nothing').catch((error) => error);
const number = '12345678901234567890';
const event = {
  location_unique_identifier: made.unique_identifier, external_identifier: env.NAME, event_name: 'Celebration of life',
  event_datetime: '2027-03-20T09:30:00-05:00',
};
const metadata = async (all) => (await api.events.upsert({ ...event, additional_event_metadata: all })).public_data.additional_event_metadata;
const first = await metadata({ kept: [BigInt(number), new ExactNumber('1e400')], beside: 1 });
const again = await metadata({ ...first, beside: 2 });
const exact = [String(first.kept[0]), toJson(again.kept), toJson(again) === toJson({ ...first, beside: 2 })];
const removed = await api.locations.remove(made.unique_identifier, { cascade: true });
console.log(JSON.stringify({
  outcomes: [...new Set(outcomes)],
  walked: walked > 30,
  refused: [refused instanceof LedgerstoneError, refused.name, refused.code],
  removed: [removed.deleted, answerOf(removed).removed],
  exact,
}));
`;

const stage = world();

describe('the package', () => {
  const folder = ownFolder();
  const installed = join(folder, 'node_modules', '@ledgerstone', 'client');
  const files = new Map(Object.keys(wrong).map((what, index) => [what, `wrong-${index}.ts`]));

  before(async () => {
    write(folder, { 'package.json': '{"private":true,"type":"module"}' });
    await installClient(folder, stage.service.url);
    write(folder, { 'right.ts': right, 'program.mjs': program });
    for (const [what, [text]] of Object.entries(wrong)) {
      write(folder, { [files.get(what) ?? '']: `${start}${text}\n` });
    }
  });

  it('depends on nothing, of the package registry or of one runtime', () => {
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(installed, 'package.json'), 'utf8'),
    );
    assert.deepEqual([dependencies, peerDependencies], [undefined, undefined]);
    const dist = { recursive: true, encoding: 'utf8' } as const;
    for (const file of readdirSync(join(installed, 'dist'), dist)) {
      if (!file.endsWith('.js')) continue;
      const text = readFileSync(join(installed, 'dist', file), 'utf8');
      for (const [, from = ''] of text.matchAll(/from ['"]([^'"]+)['"]|import\(/g)) {
        assert.match(from, /^\.\.?\//, `${file} imports ${from}`);
      }
      const ofOne = /\b(?:process|Buffer|require|Deno|Bun|window|document)\b\s*[.(]/;
      assert.doesNotMatch(text, ofOne, file);
    }
    const whole = ['LICENSE', 'README.md', 'bin', 'dist', 'package.json'];
    assert.deepEqual(readdirSync(installed).sort(), whole);
  });

  for (const [version, compiler] of Object.entries(compilers)) {
    for (const [where, options] of Object.entries(surroundings)) {
      it(`${version} ${where} takes the right program, and refuses each wrong one`, async () => {
        const found = await complaints(folder, compiler, options);
        for (const [what, file] of files) {
          assert.match(found.get(file) ?? '', wrong[what]?.[1] ?? /^$/, `${what} compiles`);
          found.delete(file);
        }
        assert.deepEqual([...found.values()], [], 'nothing else is wrong');
      });
    }
  }

  for (const [runtime, [command, ...args]] of Object.entries(runtimes)) {
    const skip = skipOf(command);
    it(`runs on ${runtime}`, { skip }, async () => {
      const { key: KEY, url: API } = stage.service;
      const env = { ...foreignEnv(), KEY, API, ACCOUNT: stage.parents.account, NAME: runtime };
      const options = { cwd: folder, timeout: 60_000, env };
      const { stdout } = await run(command, [...args, 'program.mjs'], options);
      assert.deepEqual(JSON.parse(stdout), {
        outcomes: ['created', 'parameter_missing'],
        walked: true,
        refused: [true, 'InvalidRequestError', 'resource_missing'],
        removed: [true, 2],
        exact: ['12345678901234567890', '[12345678901234567890,1e+400]', true],
      });
    });
  }

  for (const [runtime, [command, ...args]] of Object.entries(runtimes)) {
    if (!runtime.startsWith('Node')) continue;
    const skip = skipOf(command);
    it(`forwards notifications to a program on this machine with ledgerstone-listen on ${runtime}`, {
      skip,
    }, async () => {
      const receiver = await startReceiver();
      const { url, key } = stage.service;
      const flags = ['--service', url, '--forward', receiver.url, '--notification', 'location.*'];
      const child = spawn(command, [...args, listening, ...flags, '--full'], {
        cwd: folder,
        env: { PATH: process.env.PATH, LEDGERSTONE_KEY: key },
      });
      whenOver(() => child.kill('SIGKILL'));
      let printed = '';
      child.stdout.on('data', (text) => {
        printed += text;
      });
      await until(() => printed.includes('Ctrl-C stops it'));
      const [, secret = ''] = /^Secret: (whsec_\S+)$/m.exec(printed) ?? [];
      // It begins with what comes after it asked for the first time.
      let at = 0;
      await until(async () => {
        const json = { location_name: `${runtime} ${at}` };
        await stage.upsert('locations', { json, as: 'listened' });
        await stage.upsert('events', { json: { event_name: `${runtime} ${at}` } });
        at += 1;
        return receiver.received.length > 0;
      });
      const [first] = receiver.received;
      assert.ok(first);
      const headers = first.headers as Record<string, string>;
      const { type, data } = new Webhook(secret).verify(first.text, headers) as Body;
      assert.match(type, /^location\.(created|updated)$/);
      assert.equal(data.record_now.object, 'location');
      assert.equal(first.headers['webhook-id'], data.unique_identifier);
      const line = new RegExp(`^\\S+Z {2}${type} {2}${data.record} {2}200$`, 'm');
      await until(() => line.test(printed));
      assert.doesNotMatch(printed, / {2}event\./);
      child.kill('SIGINT');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
    });

    it(`sends a file with ledgerstone-sync on ${runtime}`, { skip }, async () => {
      const { url, key } = stage.service;
      const location = await stage.service.location(`Synced ${runtime}`);
      const { secret = key } = await stage.service.newKey({ name: `Synced ${runtime}` });
      write(folder, {
        'events.csv': `location_unique_identifier,external_identifier,event_name,event_datetime\n${location},a,A,2027-03-20T14:30:00Z\n`,
      });
      const words = ['--resource', 'events', '--location', location, 'events.csv'];
      const env = { PATH: process.env.PATH, LEDGERSTONE_URL: url, LEDGERSTONE_KEY: secret };
      const { stdout } = await run(command, [...args, syncing, ...words], { cwd: folder, env });
      assert.match(stdout, /^As of .*\nevents\.csv: \{"created":1,.*\nremoved: \{\}, left: 0\n$/);
    });
  }

  it('says in a line what ledgerstone-listen lacks, and stops where the service refuses', async () => {
    const { url, key } = stage.service;
    const to = ['--service', url, '--forward', 'http://localhost:1'];
    const attempt = (args: readonly string[], env: Record<string, string> = {}) =>
      // The program itself, as npx runs it.
      run(join(folder, listening), args, {
        env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, ...env },
      }).then(
        () => '',
        ({ stderr }) => stderr,
      );
    const env = { LEDGERSTONE_KEY: key };
    assert.match(await attempt([]), /^Send --service and --forward\.\n\nUsage: /);
    assert.equal(await attempt(to), 'Set LEDGERSTONE_KEY to an API key that may read.\n');
    const wrong = { LEDGERSTONE_KEY: 'sk_test_x' };
    assert.match(await attempt(to, wrong), /^The service answers 401: .+\n$/);
    assert.match(await attempt([...to, '--wait'], env), /^Unknown option '--wait'.*\n/);
    assert.match(await attempt([...to, '--secret', 'mine'], env), /^The secret is not whsec_…/);
    const misspelt = [...to, '--notification', 'events.created'];
    assert.match(await attempt(misspelt, env), /answers 400: .*\bevent\b.*\n$/);
  });
});
