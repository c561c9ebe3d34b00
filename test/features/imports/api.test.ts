/** Uploads and imports by key: a file travels once, is its sender's alone, and what is done of it is done once. */
// needs: alone, both stores

import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { resources } from '../../../src/core/registry.ts';
import { operationsOf } from '../../../src/edge/operations/index.ts';
import { bring, toldIn } from '../../support/bring.ts';
import { pluck } from '../../support/pluck.ts';
import { keyed } from '../../support/secret-key.ts';
import type { Answer, Body } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { refused, served, world } from '../../support/world.ts';

const HEAD = 'external_identifier,location_name';
const asked = { resource: 'locations' };

describe('Uploads and imports', () => {
  const service = served();

  const send =
    (key: string) =>
    (method: string, path: string, body: unknown, headers: Record<string, string> = {}) => {
      const isFile = typeof body === 'string' || body instanceof Uint8Array;
      const type = isFile ? 'text/csv' : 'application/json';
      return service.send(method, path, {
        key,
        headers: { ...(body !== undefined && { 'Content-Type': type }), ...headers },
        ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
      } as never);
    };
  const upload = async (file: string | Uint8Array, key = service.key, name = 'a.csv') => {
    const answer = await send(key)('POST', `/v1/uploads?name=${encodeURIComponent(name)}`, file);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const names = async (): Promise<string[]> =>
    pluck((await service.get('/v1/locations?limit=1000')).body.data, 'name')
      .flat()
      .sort();

  it('has a file once, by its bytes, and shows it to nobody else', async () => {
    const { secret: other } = await service.newKey();
    const one = await upload(`${HEAD}\na,A\n`);
    assert.equal((await upload(`${HEAD}\na,A\n`)).unique_identifier, one.unique_identifier);
    assert.notEqual((await upload(`${HEAD}\na,B\n`)).unique_identifier, one.unique_identifier);
    assert.notEqual(
      (await upload(`${HEAD}\na,A\n`, other)).unique_identifier,
      one.unique_identifier,
    );
    assert.equal(Date.parse(one.expires_at) - Date.parse(one.inserted_at), 3_600_000);
    // Every operation on an upload is for who sent it.
    const on = operationsOf(resources).filter(
      ({ route, body = {} }) => route.includes('/v1/uploads/:') || 'upload' in body,
    );
    assert.ok(on.length >= 5, pluck(on, 'route').join());
    for (const { route } of on) {
      const [method = '', path = ''] = route.split(' ');
      const at = path.replace(':unique_identifier', one.unique_identifier);
      const body =
        method === 'POST'
          ? { ...asked, ...(!path.includes(':') && { upload: one.unique_identifier }) }
          : undefined;
      refused(await send(other)(method, at, body), 404, 'upload_gone');
    }
    assert.equal((await send(other)('GET', '/v1/uploads', undefined)).body.data.length, 1);
    const gone = await send(service.key)(
      'DELETE',
      `/v1/uploads/${one.unique_identifier}`,
      undefined,
    );
    assert.equal(gone.status, 200, gone.text);
    refused(await service.get(`/v1/uploads/${one.unique_identifier}`), 404, 'upload_gone');
  });

  it('are the same as an object and as lines, and write only where they are to', async () => {
    const file = `${HEAD}\nu1,One\nu2,\nu3,Three\n`;
    const { unique_identifier: id } = await upload(file);
    const at = `/v1/uploads/${id}`;
    const look = await send(service.key)('POST', `${at}/look`, asked);
    assert.equal(look.body.object, 'import_look', look.text);
    assert.deepEqual(look.body.mapping, {
      external_identifier: 'external_identifier',
      location_name: 'location_name',
    });
    const before = await names();
    const checked = await send(service.key)('POST', `${at}/check`, asked);
    const lines = await send(service.key)('POST', `${at}/check`, asked, {
      'Content-Type': 'application/json',
      Accept: 'application/x-ndjson',
    });
    const { seen: _, ...together } = toldIn(lines);
    const { rows: _rows, ...whole } = { rows: 0, ...together, object: 'import_result' };
    assert.deepEqual(checked.body, whole);
    assert.deepEqual([checked.body.total, checked.body.import, checked.body.done], [3, null, true]);
    assert.deepEqual(checked.body.counts, { created: 2, updated: 0, unchanged: 0, failed: 1 });
    assert.match(
      checked.body.rejected,
      /^\ufeff_row,_error,.*\r\n3,.*location_name is missing.*u2,\r\n$/s,
    );
    assert.deepEqual(await names(), before);
    const done = await send(service.key)('POST', '/v1/imports', { upload: id, ...asked });
    assert.deepEqual(done.body.counts, checked.body.counts);
    assert.deepEqual(await names(), [...before, 'One', 'Three'].sort());
    const found = await service.get(`/v1/imports/${done.body.import}`);
    assert.deepEqual(pluck([found.body], 'status', 'files', 'counts'), [
      ['finished', [{ name: 'a.csv', resource: 'locations' }], done.body.counts],
    ]);
    const rejected = await service.get(`/v1/imports/${done.body.import}/rejected`);
    assert.equal(rejected.body.rows, done.body.rejected);
    const undone = await send(service.key)('POST', `/v1/imports/${done.body.import}/undo`, {
      dry_run: false,
    });
    assert.deepEqual([undone.body.removed, undone.body.kept], [2, 0], undone.text);
    assert.deepEqual(await names(), before);
  });

  it('are read once to be checked, and once more to be imported', async () => {
    const rows = Array.from({ length: 8_000 }, (_, at) => `d${at % 7},${'Hill '.repeat(90)}`);
    const file = `${HEAD},note\n${rows.map((row) => `${row},3/20/2027`).join('\n')}\n`;
    const { unique_identifier: id } = await upload(file);
    const at = `/v1/uploads/${id}`;
    const how = { ...asked, map: { note: null }, mode: 'update_only' };
    const looked = await readOf(() =>
      send(service.key)('POST', `${at}/look`, { ...asked, map: how.map }),
    );
    assert.ok(looked < file.length, `a look reads its beginning: ${looked}`);
    const sizes = { checked: 0, again: 0, run: 0 };
    sizes.checked = await readOf(() => send(service.key)('POST', `${at}/check`, how));
    sizes.again = await readOf(() => send(service.key)('POST', `${at}/check`, how));
    const body = { upload: id, ...how };
    sizes.run = await readOf(() => send(service.key)('POST', '/v1/imports', body));
    const [size, beginning] = [file.length, looked];
    assert.ok(sizes.checked <= 2 * size + beginning, JSON.stringify({ size, ...sizes }));
    assert.ok(sizes.again <= size + beginning, JSON.stringify({ size, ...sizes }));
    // What it keeps of refused rows is read, too.
    assert.ok(sizes.run <= size + beginning + 1_048_576, JSON.stringify({ size, ...sizes }));
    // Read in another way, they may mean another thing.
    const other = await send(service.key)('POST', `${at}/check`, {
      ...asked,
      map: { location_name: 'location_name', external_identifier: null, note: null },
    });
    refused(other, 400, 'column_missing');
  });

  it('keep a limited key to its locations, and show it its own imports', async () => {
    const [mine, theirs] = [await service.location('mine'), await service.location('theirs')];
    const limited = await service.newKey({ anchors: [mine] } as never);
    const head = 'external_identifier,location_unique_identifier,event_name,event_datetime';
    const row = (id: string, at: string) => `${id},${at},Wake,2027-03-20T10:00:00Z`;
    const file = [head, row('l1', mine), row('l2', theirs), ''].join('\n');
    const done = await bring(
      send(limited.secret),
      'run',
      { name: 'e.csv', resource: 'events' },
      file,
    );
    const { counts, rejected, import: id } = toldIn(done);
    assert.deepEqual(counts, { created: 1, updated: 0, unchanged: 0, failed: 1 }, done.text);
    assert.match(rejected, /l2/);
    const whole = await bring(
      send(service.key),
      'run',
      { name: 'e.csv', resource: 'events' },
      file,
    );
    assert.equal(toldIn(whole).counts.failed, 0);
    const listed = async (key: string): Promise<string[]> =>
      pluck(
        (await send(key)('GET', '/v1/imports', undefined)).body.data,
        'unique_identifier',
      ).flat();
    assert.deepEqual(await listed(limited.secret), [id]);
    assert.ok((await listed(service.key)).includes(id));
    const foreign = toldIn(whole).import;
    for (const at of [`/v1/imports/${foreign}`, `/v1/imports/${foreign}/rejected`])
      refused(await send(limited.secret)('GET', at, undefined), 404, 'resource_missing');
    const undo = await send(limited.secret)('POST', `/v1/imports/${id}/undo`, { dry_run: true });
    refused(undo, 403, 'whole_account_needed');
    const events = await service.newKey({ resources: ['events'] } as never);
    refused(
      await bring(send(events.secret), 'run', asked, `${HEAD}\nq,Q\n`),
      403,
      'permission_denied',
    );
    const reader = await service.newKey({ permissions: ['read'] } as never);
    refused(
      await bring(send(reader.secret), 'run', asked, `${HEAD}\nq,Q\n`),
      403,
      'permission_denied',
    );
  });

  it('go on where they were stopped, and are answered again where they were done', async () => {
    const ROWS = 3_000;
    const rows = Array.from({ length: ROWS }, (_, at) => `s${at},${at === 11 ? '' : 'Vale'}`);
    const file = [HEAD, ...rows, ''].join('\n');
    const { unique_identifier } = await upload(file);
    const body = JSON.stringify({ upload: unique_identifier, ...asked, mode: 'create_only' });
    const gone = new AbortController();
    const begun = await fetch(`${service.url}/v1/imports`, {
      method: 'POST',
      headers: {
        ...{ Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
        Accept: 'application/x-ndjson',
      },
      body,
      signal: gone.signal,
    });
    const reader = begun.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    const id = JSON.parse(first.split('\n')[0] ?? '').import;
    gone.abort();
    const { imports } = service.app.store;
    // It is known that nobody listens when something is to be said.
    await until(async () => (await imports.find(id))?.counts.created !== undefined);
    const again = async (more: Body = {}): Promise<Answer> =>
      send(service.key)('POST', '/v1/imports', { ...JSON.parse(body), repeated: true, ...more });
    const done = await again();
    assert.equal(done.body.import, id, done.text);
    const counts = { created: ROWS - 1, updated: 0, unchanged: 0, failed: 1 };
    assert.deepEqual(done.body.counts, counts);
    assert.match(done.body.rejected, /s11/);
    assert.deepEqual((await again()).body, done.body);
    const anew = await again({ repeated: false, mode: null });
    assert.notEqual(anew.body.import, id);
  });
});

describe('An erasure', () => {
  const on = world({ settings: keyed() });

  it('removes the files that wait in its account, and says what it found in no other', async () => {
    const { service } = on;
    const { imports } = service.app.store;
    const sent = await service.send('POST', '/v1/uploads?name=a.csv', {
      headers: { 'Content-Type': 'text/csv' },
      body: 'visitor_full_name,external_identifier\nIda Thornbury,1\n',
    });
    const other = await service.another();
    const theirs = await other.send('POST', '/v1/uploads?name=a.csv', {
      headers: { 'Content-Type': 'text/csv' },
      body: 'visitor_full_name\nSomebody\n',
    });
    const { unique_identifier: visitor } = await on.visit('Ida Thornbury');
    await on.erase(visitor);
    refused(await service.get(`/v1/uploads/${sent.body.unique_identifier}`), 404, 'upload_gone');
    const kept = await other.get(`/v1/uploads/${theirs.body.unique_identifier}`);
    assert.equal(kept.status, 200, kept.text);
    for await (const _ of imports.uploads.parts(sent.body)) assert.fail('its bytes are there');
  });
});

/** How many bytes of files are read meanwhile. */
async function readOf(work: () => Promise<Answer>): Promise<number> {
  await using some = await open(import.meta.filename);
  const handles = Object.getPrototypeOf(some);
  const { read } = handles;
  let bytes = 0;
  handles.read = async function (...how: unknown[]) {
    const found = await read.apply(this, how);
    bytes += found.bytesRead;
    return found;
  };
  try {
    const { status, text } = await work();
    assert.equal(status, 200, text);
    return bytes;
  } finally {
    handles.read = read;
  }
}
