/** Copies obey an erasure: the guide's copy program and the guide's webhook receiver hold nothing of the record any more. */
// needs: both stores, program
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { pages } from '../support/doc-pages.ts';
import { type Body, type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { startReceiver, webhookSettings } from '../support/webhook-receiver.ts';

const MARK = 'Rumpelstilzchen';
const client = join(import.meta.dirname, '../../client/src/index.ts');

function blockOf(path: string, has: string): string {
  const [page] = pages().filter((page) => page.path === path);
  const block = page?.blocks.find(({ language, text }) => language === 'ts' && text.includes(has));
  assert.ok(block, `${path} has no block with ${has}`);
  return block.text;
}

describe('An erasure', () => {
  const { settings, remove } = webhookSettings();
  const folder = mkdtempSync(join(tmpdir(), 'erased-copies-'));
  let service: Service;
  let officer: string;
  let key: string;
  let location: string;
  let event: string;

  const ok = async (path: string, body: object, by?: string): Promise<Body> => {
    const answer = await service.json(path, body, by === undefined ? {} : { key: by });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const visit = (name: string) =>
    ok('/v1/event_check_in_records/upsert', {
      ...{ event_unique_identifier: event, external_identifier: `id of ${name}` },
      ...{ visitor_full_name: name, visitor_phone_number: '+14155550100' },
    });
  const erase = async (...records: string[]): Promise<string> => {
    const account = service.account.unique_identifier;
    const { unique_identifier } = await ok('/v1/erasures', { account, records }, officer);
    const done = await ok(`/v1/erasures/${unique_identifier}/run`, { records }, officer);
    assert.equal(done.status, 'done');
    return unique_identifier;
  };
  const endpoint = (url: string, more: object) =>
    ok('/v1/webhook_endpoints', { url, ...more }, key);

  before(async () => {
    service = await startService({ settings });
    officer = (await service.newKey({ permissions: ['read'], allow: ['erase'] })).secret;
    key = (await service.newKey({ allow: ['webhooks'] })).secret;
    location = await service.location();
    event = await service.event(location);
  });
  after(async () => {
    await service.stop();
    remove();
    rmSync(folder, { recursive: true });
  });

  it('is told after the removal, with nothing of the record, and changes nothing else', async () => {
    const { unique_identifier: record } = await visit(`${MARK} Told`);
    const { unique_identifier: removed } = await visit(`${MARK} Removed`);
    await service.send('DELETE', `/v1/event_check_in_records/${removed}`);
    const { position } = (await service.get('/v1/changes?starting_after=now')).body;
    const erasure = await erase(record, removed);
    const { data } = (await service.get(`/v1/changes?starting_after=${position}`)).body;
    assert.deepEqual(
      data.map((one: Body) => [one.record, one.outcome, one.version, one.erasure, one.location]),
      [
        [record, 'deleted', 2, undefined, location],
        [record, 'erased', 3, erasure, location],
        [removed, 'erased', 3, erasure, location],
      ],
    );
    assert.deepEqual([data[1].key, data[1].source, data[1].changed], [null, null, []]);
    const only = await service.get(`/v1/changes?starting_after=${position}&outcome[]=erased`);
    assert.equal(only.body.data.length, 2);
  });

  it('reaches every endpoint that gets anything of the resource, whatever else it asks for', async () => {
    const wanted = {
      all: ['*'],
      made: ['event_check_in_record.created'],
      removals: ['*.deleted'],
      events: ['event.*'],
      proposals: ['proposal.created'],
      sources: ['*.silent'],
    };
    const receivers = new Map<string, Awaited<ReturnType<typeof startReceiver>>>();
    for (const [name, notifications] of Object.entries(wanted)) {
      const receiver = await startReceiver();
      receivers.set(name, receiver);
      await endpoint(receiver.url, { notifications });
    }
    const { unique_identifier } = await visit(`${MARK} Reached`);
    await erase(unique_identifier);
    const event_name = 'the last of all';
    await service.send('PATCH', `/v1/events/${event}`, {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ event_name }),
    });
    const typesTo = (name: string): string[] =>
      (receivers.get(name)?.received ?? []).map(({ body }) => body.type);
    const of = (...outcomes: string[]) => outcomes.map((one) => `event_check_in_record.${one}`);
    await until(() => typesTo('events').length > 0 && typesTo('all').length >= 4, 60_000);
    await until(() => typesTo('made').length >= 2 && typesTo('removals').length >= 2, 60_000);
    assert.deepEqual(
      typesTo('all').filter((type) => type !== 'event.updated'),
      of('created', 'deleted', 'erased'),
    );
    assert.deepEqual(typesTo('made'), of('created', 'erased'));
    assert.deepEqual(typesTo('removals'), of('deleted', 'erased'));
    assert.deepEqual(typesTo('events'), ['event.updated']);
    assert.deepEqual([typesTo('proposals'), typesTo('sources')], [[], []]);
    for (const receiver of receivers.values()) await receiver.close();
  });

  it('leaves nothing in the copy and in the receiver of the guide', async (t) => {
    const receiver = join(folder, 'receiver.ts');
    writeFileSync(
      receiver,
      `import { createServer } from 'node:http';
import { once } from 'node:events';
import { verifyWebhook } from '${client}';
${blockOf('docs/webhooks.md', 'createServer(').replace('console.log(type, data.record)', '0')}
export { server, stored, handled };
export const use = (one: string) => { secret = one; };`,
    );
    const own = (await import(receiver)) as {
      readonly server: Server;
      readonly stored: ReadonlyMap<string, string>;
      readonly handled: ReadonlySet<string>;
      readonly use: (secret: string) => void;
    };
    t.after(() => own.server.close());
    t.after(() => own.server.closeAllConnections());
    const { port } = own.server.address() as { port: number };
    const url = `http://127.0.0.1:${port}/`;
    own.use((await endpoint(url, { payload: 'full' })).secret);

    const copies = join(folder, 'copy');
    const started = join(folder, 'keep-a-copy.ts');
    writeFileSync(started, blockOf('docs/changes.md', 'keep-a-copy.ts: '));
    const env = { PATH: process.env.PATH, API: service.url, KEY: service.key };
    mkdirSync(copies);
    const program = spawn(process.execPath, [started], { cwd: copies, env, stdio: 'ignore' });
    t.after(() => program.kill('SIGKILL'));
    const inCopy = (): number => {
      try {
        const copy = new DatabaseSync(join(copies, 'copy.db'), { readOnly: true, timeout: 5_000 });
        try {
          return copy.prepare('SELECT body FROM record').all().length;
        } finally {
          copy.close();
        }
      } catch {
        return 0;
      }
    };
    const traces = () =>
      readdirSync(copies).filter((file) => readFileSync(join(copies, file)).includes(MARK));

    const stays = await visit('Neighbour');
    const records: string[] = [];
    for (let count = 0; count < 30; count += 1)
      records.push((await visit(`${MARK} ${count} ${'long '.repeat(40)}`)).unique_identifier);
    await until(() => inCopy() >= 33 && traces().length > 0, 60_000);
    await until(
      () => [...own.stored.keys()].filter((id) => records.includes(id)).length === 30,
      60_000,
    );
    assert.match([...own.stored.values()].join(), new RegExp(MARK));

    await erase(...records);
    await until(() => inCopy() === 3, 60_000);
    await until(() => traces().length === 0, 60_000);
    await until(() => !records.some((id) => own.stored.has(id)), 60_000);
    assert.doesNotMatch(JSON.stringify([[...own.stored], [...own.handled]]), new RegExp(MARK));
    assert.match([...own.stored.values()].join(), new RegExp(stays.unique_identifier));
    assert.equal(program.exitCode, null);
  });
});
