/** Nobody comes back: whatever way a record takes into the store, one that was erased is refused, and what came with it is not. */
// needs: program, both stores, long
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { programIn } from '../support/cli-program.ts';
import { type ConsoleBrowser, OWN, signedIn } from '../support/console.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { eventBody, visitorBody } from '../support/sent.ts';
import { type Answer, type Body, type Service, startService } from '../support/service.ts';
import { serviceGround, storeEnv } from '../support/service-ground.ts';
import type { Ground } from '../support/store-world.ts';
import { until } from '../support/until.ts';

const VISITORS = '/v1/event_check_in_records';
const LINES = { 'Content-Type': 'application/x-ndjson' };

let ground: Ground;
let service: Service;
let officer: string;
let pins: string;
let editor: ConsoleBrowser;
let program: ReturnType<typeof programIn>;
const folder = mkdtempSync(join(tmpdir(), 'ledgerstone back '));
let count = 0;

before(async () => {
  const secret = secretKeyFile();
  ground = await serviceGround();
  program = programIn(folder, { ...storeEnv(ground), SECRET_KEY_FILE: secret });
  service = await startService({ ground, settings: { secret_key_file: secret } });
  officer = (await service.newKey({ permissions: ['read'], allow: ['erase'] })).secret;
  pins = (await service.newKey({ allow: ['pin'] })).secret;
  editor = await signedIn(service);
});
after(async () => {
  await ground.remove();
  rmSync(folder, { recursive: true });
});

/** Somebody who visits a service of their own, and is erased. */
interface Person {
  readonly location: string;
  readonly event: string;
  readonly eventRow: Body;
  readonly row: Body;
  readonly record: string;
  /** Somebody else at that service. */
  readonly other: Body;
}

async function ok(answer: Promise<Answer>): Promise<Body> {
  const { status, body, text } = await answer;
  assert.equal(status, 200, text);
  return body;
}

async function visits(headers = {}): Promise<Person> {
  count += 1;
  const location = await service.location(`home ${count}`);
  const eventRow = eventBody(location, `case ${count}`);
  const event = (await ok(service.json('/v1/events/upsert', eventRow))).unique_identifier;
  const rowOf = (name: string) => visitorBody(event, name, { visitor_full_name: name });
  const [row, other] = [rowOf(`visitor ${count}`), rowOf(`other ${count}`)];
  const made = await ok(service.json(`${VISITORS}/upsert`, row, { headers }));
  return { location, event, eventRow, row, record: made.unique_identifier, other };
}

const patched = (path: string, body: object, headers = {}, key = service.key) =>
  service.send('PATCH', path, {
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
    key,
  });

const refused = ({ status, body, text }: Answer) =>
  assert.deepEqual([status, body?.error?.code], [410, 'record_erased'], text);

const many = (rows: readonly object[], query = '', headers = {}) =>
  service.json(`${VISITORS}/upsert_many${query}`, rows, { headers });

/** One of two was refused, and the other taken. */
const halved = ({ status, text, body }: Answer) => {
  assert.equal(status, 200, text);
  const outcomes = body?.data?.map(({ outcome }: Body) => outcome) ?? [
    ...(/"outcome":"erased"/.test(text) ? ['erased'] : []),
    ...(/"outcome":"created"/.test(text) ? ['created'] : []),
  ];
  assert.deepEqual(outcomes, ['erased', 'created'], text);
  if (body?.summary !== undefined)
    assert.partialDeepStrictEqual(body.summary, { created: 1, failed: 0, erased: 1 });
};

const COLUMNS = [
  'event_unique_identifier',
  'external_identifier',
  'visitor_full_name',
  'visitor_phone_number',
];
const csvOf = (...rows: readonly Body[]) =>
  [COLUMNS.join(), ...rows.map((row) => COLUMNS.map((name) => row[name]).join()), ''].join('\n');

async function importedByConsole(...rows: readonly Body[]): Promise<{ text: string; id: string }> {
  const map = Object.fromEntries(COLUMNS.map((name) => [name, name]));
  const asked = { name: 'visitors.csv', resource: 'event_check_in_records', map };
  const { status, text } = await service.send('POST', '/console/api/imports/run', {
    key: null,
    headers: { ...OWN, Cookie: editor.cookie ?? '', 'Content-Type': 'application/octet-stream' },
    body: `${JSON.stringify(asked)}\n${csvOf(...rows)}`,
  });
  assert.equal(status, 200, text);
  return { text, id: JSON.parse(text.split('\n')[0] ?? '').import };
}

async function importedByCommand(name: string, content: string): Promise<void> {
  const file = join(folder, name);
  writeFileSync(file, content);
  const account = service.account.unique_identifier;
  const { stdout, stderr, code } = await program.run('import', file, '--account', account);
  assert.match(stdout + stderr, /1 created/, `${code}`);
}

interface Way {
  /** What there is before the erasure. */
  readonly first?: (person: Person) => Promise<unknown>;
  /** Tries, and looks at the answer. */
  readonly back: (person: Person, first: never) => Promise<unknown>;
  readonly headers?: object;
}

const ways: Readonly<Record<string, Way>> = {
  'an upsert': { back: async ({ row }) => refused(await service.json(`${VISITORS}/upsert`, row)) },
  'a form': { back: async ({ row }) => refused(await service.form(`${VISITORS}/upsert`, row)) },
  'an upsert that may only create': {
    back: async ({ row }) => {
      const headers = { 'Ledgerstone-Mode': 'create_only' };
      refused(await service.json(`${VISITORS}/upsert`, row, { headers }));
    },
  },
  'a dry run': {
    back: async ({ row, other }) => {
      refused(await service.json(`${VISITORS}/upsert?dry_run=true`, row));
      halved(await many([row, other], '?dry_run=true'));
    },
  },
  'a repeat of the request that made it': {
    headers: { 'Idempotency-Key': 'first' },
    back: async ({ row }) => {
      const headers = { 'Idempotency-Key': 'first' };
      refused(await service.json(`${VISITORS}/upsert`, row, { headers }));
    },
  },
  'a repeat of a change of it': {
    first: ({ record }) =>
      ok(patched(`${VISITORS}/${record}`, { visitor_full_name: 'X' }, { 'Idempotency-Key': 'p' })),
    back: async ({ record }) =>
      refused(
        await patched(
          `${VISITORS}/${record}`,
          { visitor_full_name: 'X' },
          { 'Idempotency-Key': 'p' },
        ),
      ),
  },
  'an array': { back: async ({ row, other }) => halved(await many([row, other])) },
  'an atomic array': {
    back: async ({ row, other }) => halved(await many([row, other], '?atomic=true')),
  },
  'an array that is sent again': {
    back: async ({ row, other }) => {
      const headers = { 'Idempotency-Key': `array-${count}` };
      for (const _ of [1, 2]) halved(await many([row, other], '', headers));
    },
  },
  'lines of a stream': {
    back: async ({ row, other }) => {
      const body = [row, other].map((one) => JSON.stringify(one)).join('\n');
      halved(await service.send('POST', `${VISITORS}/upsert_many`, { headers: LINES, body }));
    },
  },
  'a table that is sent': {
    back: async ({ row, other }) => {
      const headers = { 'Content-Type': 'text/csv' };
      const body = csvOf(row, other);
      halved(await service.send('POST', `${VISITORS}/upsert_many`, { headers, body }));
    },
  },
  'the identifier of its service that the sender has': {
    back: async ({ row, location, eventRow }) => {
      const { event_unique_identifier: _, ...rest } = row;
      const named = { location_unique_identifier: location };
      const event_external_identifier = eventRow.external_identifier;
      const body = { ...rest, ...named, event_external_identifier };
      refused(await service.json(`${VISITORS}/upsert`, body));
    },
  },
  'a service that is removed and sent again': {
    back: async ({ row, event, eventRow }) => {
      await ok(service.send('DELETE', `/v1/events/${event}?cascade=true`));
      const again = await ok(service.json('/v1/events/upsert', eventRow));
      const event_unique_identifier = again.unique_identifier;
      refused(await service.json(`${VISITORS}/upsert`, { ...row, event_unique_identifier }));
    },
  },
  'a change of it': {
    back: async ({ record, event, row }) => {
      refused(await patched(`${VISITORS}/${record}`, { visitor_full_name: 'X' }));
      const pair = `event_unique_identifier=${event}&external_identifier=${row.external_identifier}`;
      const { status } = await patched(`${VISITORS}?${pair}`, { visitor_full_name: 'X' });
      assert.ok(status === 404 || status === 410, `${status}`);
    },
  },
  'a change of another, which takes its identifier': {
    first: ({ other }) => ok(service.json(`${VISITORS}/upsert`, other)),
    back: async ({ row }, made: Body) => {
      const { external_identifier } = row;
      const path = `${VISITORS}/${made.unique_identifier}`;
      const answer = await patched(path, { external_identifier });
      assert.deepEqual([answer.status, answer.body.error.param], [400, 'external_identifier']);
    },
  },
  'a move of its like from another service': {
    first: async ({ row }) => {
      const { event } = await visits();
      return ok(service.json(`${VISITORS}/upsert`, { ...row, event_unique_identifier: event }));
    },
    back: async ({ event }, made: Body) => {
      const path = `${VISITORS}/${made.unique_identifier}`;
      const answer = await patched(path, { event_unique_identifier: event });
      assert.deepEqual([answer.status, answer.body.error.param], [400, 'event_unique_identifier']);
    },
  },
  'a restore of it': {
    first: ({ record }) => ok(service.send('DELETE', `${VISITORS}/${record}`)),
    back: async ({ record }) =>
      refused(await service.json(`${VISITORS}/${record}/restore`, { version: 1 })),
  },
  'a restore of all that was removed with it': {
    first: async ({ event }) => {
      const answer = await service.send('DELETE', `/v1/events/${event}?cascade=true`);
      return answer.headers.get('Ledgerstone-Removal');
    },
    back: async ({ event }, removal: string) => {
      await service.send('POST', `/v1/removals/${removal}/restore`);
      assert.equal((await service.get(`/v1/events/${event}`)).status, 200);
    },
  },
  'a sync that names it': {
    back: async ({ row, other, location }) => {
      const asked = { resource: 'event_check_in_record', location };
      const { unique_identifier } = await ok(service.json('/v1/syncs', asked));
      const headers = { 'Ledgerstone-Sync': unique_identifier };
      halved(await many([row, other], '', headers));
      await ok(service.json(`/v1/syncs/${unique_identifier}/finish`, {}));
    },
  },
  'the undo of a sync that removed it': {
    first: async ({ location, event }) => {
      const asked = { resource: 'event', location, at_most: '100%' };
      const { unique_identifier } = await ok(service.json('/v1/syncs', asked));
      const path = `/v1/syncs/${unique_identifier}`;
      await service.json(`${path}/finish`, {});
      await until(async () => (await service.get(path)).body.status === 'finished');
      assert.equal((await service.get(`/v1/events/${event}`)).status, 404);
      return path;
    },
    back: async ({ event }, path: string) => {
      await until(async () => {
        const { body } = await service.send('POST', `${path}/undo`);
        return body.status === 'undone';
      });
      assert.equal((await service.get(`/v1/events/${event}`)).status, 200);
    },
  },
  'a proposal that staff accepts': {
    first: async ({ record, row }) => {
      await ok(
        patched(`${VISITORS}/${record}`, { visitor_phone_number: '+14155550199' }, {}, pins),
      );
      const visitor_phone_number = '+14155550111';
      await ok(service.json(`${VISITORS}/upsert`, { ...row, visitor_phone_number }));
      const { data } = await ok(service.get(`/v1/proposals?record=${record}`));
      return data[0].unique_identifier;
    },
    back: async (_, proposal: string) => {
      const path = `/v1/proposals/${proposal}/accept`;
      const { status, text } = await service.send('POST', path, { key: pins });
      assert.ok(status === 404 || status === 410, text);
    },
  },
  'a file that is imported by command': {
    back: ({ row, other }) => importedByCommand('event_check_in_records.csv', csvOf(row, other)),
  },
  'lines that are imported by command': {
    back: ({ row, other }) => {
      const lines = [row, other].map((one) => `${JSON.stringify(one)}\n`).join('');
      return importedByCommand('event_check_in_records.ndjson', lines);
    },
  },
  'a file that is imported at the console': {
    back: async ({ row, other }) => {
      const { text } = await importedByConsole(row, other);
      assert.match(text, /"created":1/);
      assert.doesNotMatch(text, /visitor \d/, 'it is not among the rejected rows');
    },
  },
  'the undo of an import that had changed it': {
    first: async ({ row }) =>
      (await importedByConsole({ ...row, visitor_full_name: 'Changed' })).id,
    back: async (_, id: string) => {
      await editor.post(`/imports/${id}/undo`, { dry_run: false });
    },
  },
  'a person who types it in': {
    back: async ({ row, record }) => {
      refused(await editor.post(`${VISITORS}/upsert`, row));
      refused(await editor.send('PATCH', `${VISITORS}/${record}`, { visitor_full_name: 'X' }));
    },
  },
};

describe('Nobody who was erased comes back by', () => {
  for (const [name, { first, back, headers }] of Object.entries(ways))
    it(name, async () => {
      const person = await visits(headers);
      const made = await first?.(person);
      const { record, event, row } = person;
      const account = service.account.unique_identifier;
      const records = [record];
      const { unique_identifier } = await ok(
        service.json('/v1/erasures', { account, records }, { key: officer }),
      );
      const path = `/v1/erasures/${unique_identifier}/run`;
      assert.equal((await ok(service.json(path, { records }, { key: officer }))).status, 'done');
      await back(person, made as never);

      for (const end of ['', '/history', '?version=1'])
        refused(await service.get(`${VISITORS}/${record}${end}`));
      const { body } = await service.get(`${VISITORS}?limit=1000`);
      const there = body.data.filter(
        (one: Body) =>
          one.unique_identifier === record ||
          (one.external_identifier === row.external_identifier &&
            one.event_unique_identifier === event),
      );
      assert.deepEqual(there, []);
    });
});

/** Each sends the record, which is taken. */
const taken: Readonly<Record<string, (person: Person) => Promise<unknown>>> = {
  'an upsert': ({ row }) => ok(service.json(`${VISITORS}/upsert`, row)),
  'a form': ({ row }) => ok(service.form(`${VISITORS}/upsert`, row)),
  'an array': ({ row }) => ok(many([row])),
  'an atomic array': ({ row }) => ok(many([row], '?atomic=true')),
  'lines of a stream': ({ row }) =>
    ok(
      service.send('POST', `${VISITORS}/upsert_many`, {
        ...{ headers: LINES, body: JSON.stringify(row) },
      }),
    ),
  'a table that is sent': ({ row }) =>
    ok(
      service.send('POST', `${VISITORS}/upsert_many`, {
        ...{ headers: { 'Content-Type': 'text/csv' }, body: csvOf(row) },
      }),
    ),
  'a sync that names it': async ({ row, location }) => {
    const asked = { resource: 'event_check_in_record', location };
    const { unique_identifier } = await ok(service.json('/v1/syncs', asked));
    await ok(many([row], '', { 'Ledgerstone-Sync': unique_identifier }));
    await ok(service.json(`/v1/syncs/${unique_identifier}/finish`, {}));
  },
  'a service that is removed and sent again': async ({ row, event, eventRow }) => {
    await ok(service.send('DELETE', `/v1/events/${event}?cascade=true`));
    const again = await ok(service.json('/v1/events/upsert', eventRow));
    const event_unique_identifier = again.unique_identifier;
    await ok(service.json(`${VISITORS}/upsert`, { ...row, event_unique_identifier }));
  },
  'a file that is imported by command': ({ row }) =>
    importedByCommand('event_check_in_records.csv', csvOf(row)),
  'a file that is imported at the console': async ({ row }) =>
    assert.match((await importedByConsole(row)).text, /"created":1/),
  'a person who types it in': ({ row }) => ok(editor.post(`${VISITORS}/upsert`, row)),
};

describe('Who was erased by mistake comes back, once that was lifted, by', () => {
  for (const [name, sends] of Object.entries(taken))
    it(name, async () => {
      const person = await visits();
      const { record, row } = person;
      const [account, records] = [service.account.unique_identifier, [record]];
      const erase = async (some: readonly string[]): Promise<string> => {
        const sent = { account, records: some };
        const { unique_identifier } = await ok(
          service.json('/v1/erasures', sent, { key: officer }),
        );
        const path = `/v1/erasures/${unique_identifier}`;
        await ok(service.json(`${path}/run`, { records: some }, { key: officer }));
        return unique_identifier;
      };
      const id = await erase(records);
      refused(await service.json(`${VISITORS}/upsert`, row));
      // Half of them by another process than the one that is sent to.
      if (count % 2 === 0) await program.json('erasures', 'lift', id, '--record', record);
      else await ok(service.json(`/v1/erasures/${id}/lift`, { record }, { key: officer }));
      await sends(person);
      const made = async (): Promise<Body[]> =>
        (await ok(service.get(`${VISITORS}?limit=1000`))).data.filter(
          (one: Body) => one.external_identifier === row.external_identifier,
        );
      const [again] = await made();
      assert.notEqual(again?.unique_identifier, undefined);
      assert.notEqual(again?.unique_identifier, record);
      await erase([again?.unique_identifier]);
      const { event_unique_identifier: _, ...rest } = row;
      const event_external_identifier = person.eventRow.external_identifier;
      const named = { location_unique_identifier: person.location, event_external_identifier };
      refused(await service.json(`${VISITORS}/upsert`, { ...rest, ...named }));
      assert.deepEqual(await made(), []);
    });
});
