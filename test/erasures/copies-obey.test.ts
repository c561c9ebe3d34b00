/**
 * Copies obey erasures: the programs of docs/changes.md and docs/webhooks.md, as they are printed there, hold nothing of
 * what was erased of any resource, however it is erased, and also where they did not run meanwhile.
 */
// needs: both stores with --all, program, waits
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { resources } from '../../src/core/registry.ts';
import { packages } from '../support/built-client.ts';
import { Canaries, filesIn } from '../support/canaries.ts';
import { isThere, ownFolder } from '../support/cli-program.ts';
import { pages } from '../support/doc-pages.ts';
import { keyed } from '../support/secret-key.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';
import { world } from '../support/world.ts';

const DAY_MS = 86_400_000;
/** For what is shared with other files of tests. */
const LONG_MS = 120_000;
const records = resources.filter(({ parent }) => parent !== undefined);

/** What the receivers of the guide are asked for at the end, beside what they do. */
const RECEIVERS = {
  ts: {
    ...{ file: 'receiver.mts', program: process.execPath },
    shows: `for await (const _ of process.stdin)
  process.stdout.write(JSON.stringify([[...stored], [...handled]]) + '\\n');`,
  },
  python: {
    ...{ file: 'receiver.py', program: 'python3' },
    shows: `import sys
for _ in sys.stdin:
    print(json.dumps([stored, sorted(handled)]), flush=True)`,
  },
};

/** The programs of a page in a language, as printed. */
const blocksOf = (path: string, language: string, kind: string): readonly string[] =>
  (pages().find((page) => page.path === path)?.blocks ?? [])
    .filter((one) => one.language === language && one.kind === kind)
    .map(({ text }) => text);

interface Receiver {
  readonly child: ChildProcess;
  /** All that it has in memory, as text. */
  held(): Promise<string>;
}

describe('The copies that the guides show how to keep', () => {
  const folder = ownFolder();
  const copies = join(folder, 'copy');
  const receivers: Receiver[] = [];
  let clock = 0;
  let copier: ChildProcess;

  const on = world({ settings: keyed(), now: () => Date.now() + clock }, async ({ event }) => {
    symlinkSync(packages(), join(folder, 'node_modules'));
    await startReceiver('ts', event);
    if (isThere('python3')) await startReceiver('python', event);
    mkdirSync(copies);
    const [program = ''] = blocksOf('docs/changes.md', 'ts', 'file');
    writeFileSync(join(copies, 'keep-a-copy.ts'), program);
    startCopier();
  });
  const { service, ok } = on;
  const visit = (name: string, event_unique_identifier: string): Promise<Body> =>
    on.visit(name, { event_unique_identifier, external_identifier: 'a visit' });

  /** A record of each resource, changed since; one that was removed; and a service that somebody else belongs to. */
  const plant = async (canaries: Canaries): Promise<string[]> => {
    const made: string[] = [];
    const parents = new Map([['account', service.account.unique_identifier]]);
    const put = async (one: (typeof records)[number], at = parents): Promise<string> => {
      const { unique_identifier } = await ok(`/v1/${one.path}/upsert`, {
        [one.parentParam ?? '']: at.get(one.parent?.name ?? ''),
        external_identifier: canaries.word(`${one.path} external_identifier`),
        ...canaries.body(one),
      });
      const path = `/v1/${one.path}/${unique_identifier}`;
      await ok(path, canaries.body(one), service.key, 'PATCH');
      made.push(unique_identifier);
      return unique_identifier;
    };
    for (const one of records) {
      const removed = await put(one);
      const { status } = await service.send('DELETE', `/v1/${one.path}/${removed}`);
      assert.equal(status, 200);
      parents.set(one.name, await put(one));
    }
    const [event] = records.filter(({ name }) => name === 'event');
    assert.ok(event !== undefined);
    await visit('Nora Lane', await put(event, new Map([['location', on.location]])));
    return made;
  };
  const run = async (wanted: readonly string[], more: object = {}): Promise<void> => {
    const { unique_identifier: id } = await on.begin(wanted);
    await on.run(id, wanted, more);
    await until(async () => (await on.erasure(id)).status === 'done', LONG_MS);
    assert.deepEqual((await on.erasure(id)).left, []);
  };

  const startCopier = (): void => {
    const env = { PATH: process.env.PATH, API: service.url, KEY: service.key };
    copier = spawn(process.execPath, ['keep-a-copy.ts'], { cwd: copies, env, stdio: 'ignore' });
  };
  const stopCopier = async (): Promise<void> => {
    copier.kill('SIGKILL');
    await once(copier, 'exit');
  };
  /** The records of the copy, by their identifiers. */
  const copied = (): ReadonlyMap<string, string> => {
    try {
      const copy = new DatabaseSync(join(copies, 'copy.db'), { readOnly: true, timeout: 5_000 });
      try {
        const rows = copy.prepare('SELECT id, body FROM record').all();
        return new Map(rows.map(({ id, body }) => [String(id), String(body)]));
      } finally {
        copy.close();
      }
    } catch {
      return new Map();
    }
  };
  const inCopy = (canaries: Canaries) =>
    [...filesIn(copies)].flatMap(([file, bytes]) =>
      canaries.in(bytes).map(({ where }) => `${file}: ${where}`),
    );
  const inReceivers = async (canaries: Canaries) => {
    const held = await Promise.all(receivers.map((one) => one.held()));
    return held.flatMap((text) => canaries.in(Buffer.from(text)).map(({ where }) => where));
  };
  /** Waits until nothing of them is anywhere. */
  const obeyed = async (canaries: Canaries): Promise<void> => {
    const left = async () => [...inCopy(canaries), ...(await inReceivers(canaries))];
    await until(async () => (await left()).length === 0, LONG_MS).catch(async () =>
      assert.deepEqual(await left(), []),
    );
    for (const { exitCode } of [copier, ...receivers.map(({ child }) => child)])
      assert.equal(exitCode, null, 'it goes on');
  };
  /** Waits until the copy has what is there, as it is now. */
  const followed = async (id: string, text: string): Promise<void> =>
    until(() => copied().get(id)?.includes(text) === true, LONG_MS);

  const startReceiver = async (language: keyof typeof RECEIVERS, event: string) => {
    const { file, program, shows } = RECEIVERS[language];
    const blocks = blocksOf('docs/webhooks.md', language, 'program');
    const last = blocks.findIndex((text) => text.includes('event.*'));
    const text = [...blocks.slice(0, last + 1), shows]
      .join('\n')
      .replaceAll('http://127.0.0.1:8080', service.url)
      .replace('sk_test_…', on.officer)
      .replace('evt_…', event)
      // Of all, with all that is sent.
      .replace(/(["']?notifications["']?: )\[.event\.\*.\]/, `$1["*"], "payload": "full"`);
    writeFileSync(join(folder, file), text);
    const child = spawn(program, [file], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const held = async (): Promise<string> => {
      child.stdin.write('\n');
      return (await lines.next()).value ?? '';
    };
    // Its endpoint is there as soon as it answers.
    assert.equal(JSON.parse(await held()).length, 2);
    receivers.push({ child, held });
  };

  after(() => {
    for (const child of [copier, ...receivers.map((one) => one.child)]) child.kill('SIGKILL');
  });

  it('hold nothing of what is erased, of any resource, removed before or not', async () => {
    const canaries = new Canaries();
    const made = await plant(canaries);
    const redacted = made.at(-1) ?? '';
    await until(() => copied().has(redacted), LONG_MS);
    await followed(redacted, canaries.all.at(-1)?.text ?? '');
    assert.notDeepEqual(inCopy(canaries), []);
    for (const one of receivers)
      await until(async () => (await one.held()).includes(redacted), LONG_MS);
    assert.notDeepEqual(await inReceivers(canaries), []);
    await run(made);
    await obeyed(canaries);
    const found = made.filter((id) => copied().has(id));
    assert.deepEqual(found, [redacted], 'a service stays without its person');
    assert.equal(JSON.parse(copied().get(redacted) ?? '').event_name, 'Erased');
    assert.ok(copied().has(on.location));
  });

  it('hold nothing of what is erased while their program does not run', async () => {
    const canaries = new Canaries();
    const made = await plant(canaries);
    const last = made.at(-1) ?? '';
    await followed(last, canaries.all.at(-1)?.text ?? '');
    await stopCopier();
    assert.notDeepEqual(inCopy(canaries), []);
    await run(made);
    startCopier();
    await obeyed(canaries);
  });

  it('hold nothing of a past that alone was erased, of which nobody is notified', async () => {
    const canaries = new Canaries();
    const event = await service.event(on.location, 'another');
    const { unique_identifier: id } = await visit(canaries.word('visitor_full_name'), event);
    await followed(id, canaries.all[0]?.text ?? '');
    await visit('Short', event);
    await run([id], { keep: 'current' });
    await followed(id, 'Short');
    await service.event(on.location, 'the next change');
    await obeyed(canaries);
    assert.ok(copied().has(id));
  });

  it('hold nothing of what is erased where the feed no longer goes back to where they stopped', async () => {
    const canaries = new Canaries();
    const made = await plant(canaries);
    const last = made.at(-1) ?? '';
    await followed(last, canaries.all.at(-1)?.text ?? '');
    await stopCopier();
    await run(made);
    // Their signatures are of the time that the service has.
    for (const { child } of receivers.splice(0)) child.kill('SIGKILL');
    clock += 500 * DAY_MS;
    const later = await service.event(on.location, 'much later');
    const { log } = service.app.store;
    while (await log.sweep());
    assert.notDeepEqual(inCopy(canaries), []);
    startCopier();
    await until(() => copied().has(later), LONG_MS);
    await obeyed(canaries);
  });
});
