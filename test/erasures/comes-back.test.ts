/** Nobody comes back: whatever way a record takes into the store, one that was erased is refused, and what came with it is not. */
// needs: program, both stores with --all, long
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { bring } from '../support/bring.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { type ConsoleBrowser, OWN, signedIn } from '../support/console.ts';
import { answersIn, inShort, sendArray, sendLines } from '../support/rows.ts';
import { keyed } from '../support/secret-key.ts';
import { eventBody } from '../support/sent.ts';
import type { Answer, Body } from '../support/service.ts';
import { serviceGround, storeEnv } from '../support/service-ground.ts';
import { until } from '../support/until.ts';
import { refused as refusedAs, world } from '../support/world.ts';

const RESOURCE = 'event_check_in_records';
const VISITORS = `/v1/${RESOURCE}`;
const UPSERT = `${VISITORS}/upsert`;

let pins: string;
let editor: ConsoleBrowser;
let program: ReturnType<typeof programIn>;
const folder = ownFolder();
const settings = keyed();
const on = world({ store: serviceGround, settings }, async ({ ground, service }) => {
  const SECRET_KEY_FILE = settings.secret_key_file;
  program = programIn(folder, { ...storeEnv(ground), SECRET_KEY_FILE });
  pins = (await service.newKey({ allow: ['pin'] })).secret;
  editor = await signedIn(service);
});
const { service, ok, read } = on;

let count = 0;

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

async function visits(headers?: Record<string, string>): Promise<Person> {
  count += 1;
  const location = await service.location(`home ${count}`);
  const eventRow = eventBody(location, `case ${count}`);
  const { unique_identifier: event } = await ok('/v1/events/upsert', eventRow);
  const at = { event_unique_identifier: event };
  const name = `visitor ${count}`;
  const { unique_identifier: record } = await on.visit(name, at, headers);
  const [row, other] = [on.visitor(name, at), on.visitor(`other ${count}`, at)];
  return { location, event, eventRow, row, record, other };
}

/** Removes what is there; gives the identifier of the removal. */
async function removed(path: string): Promise<string | null> {
  const { status, headers, text } = await service.send('DELETE', path);
  assert.equal(status, 200, text);
  return headers.get('Ledgerstone-Removal');
}

const refused = (answer: Answer) => refusedAs(answer, 410, 'record_erased');

/** What became of each row. */
function outcomesOf({ status, text, body }: Answer): readonly string[] {
  assert.equal(status, 200, text);
  const { rows, last } = body === undefined ? answersIn(text) : { rows: body.data, last: body };
  const outcomes = inShort(rows);
  const erased = outcomes.includes('erased') ? { erased: 1 } : {};
  assert.partialDeepStrictEqual(last.summary, { created: 1, failed: 0, ...erased });
  return outcomes;
}

/** One of two was refused, and the other taken. */
const halved = (answer: Answer) => assert.deepEqual(outcomesOf(answer), ['erased', 'created']);

const COLUMNS = [
  'event_unique_identifier',
  'external_identifier',
  'visitor_full_name',
  'visitor_phone_number',
];
const csvOf = (...rows: readonly Body[]) =>
  [COLUMNS.join(), ...rows.map((row) => COLUMNS.map((name) => row[name]).join()), ''].join('\n');
const linesOf = (...rows: readonly Body[]) =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('');

async function importedByConsole(...rows: readonly Body[]): Promise<{ text: string; id: string }> {
  const map = Object.fromEntries(COLUMNS.map((name) => [name, name]));
  const asked = { name: 'visitors.csv', resource: RESOURCE, map };
  const send = (...[method, path, body, headers]: Parameters<typeof editor.send>) =>
    editor.send(method, path, body, { ...OWN, ...headers });
  const { status, text } = await bring(send, 'run', asked, csvOf(...rows));
  assert.equal(status, 200, text);
  return { text, id: JSON.parse(text.split('\n')[0] ?? '').import };
}

async function importedByCommand(name: string, content: string): Promise<void> {
  const file = join(folder, name);
  writeFileSync(file, content);
  const { stdout, stderr, code } = await program.run('import', file, '--account', on.account);
  assert.match(stdout + stderr, /1 created/, `${code}`);
}

/** What is sent of a person, and how it must be answered. */
interface Wanted {
  readonly rows: (person: Person) => readonly Body[];
  readonly one: (answer: Answer) => void;
  readonly many: (answer: Answer) => void;
}

const ERASED: Wanted = { rows: ({ row, other }) => [row, other], one: refused, many: halved };
const TAKEN: Wanted = {
  rows: ({ row }) => [row],
  one: ({ status, text }) => assert.equal(status, 200, text),
  many: (answer) => assert.deepEqual(outcomesOf(answer), ['created']),
};

/** Each sends the record, alone or first of several. */
const sends: Readonly<Record<string, (person: Person, wanted: Wanted) => Promise<unknown>>> = {
  'an upsert': async ({ row }, { one }) => one(await service.json(UPSERT, row)),
  'a form': async ({ row }, { one }) => one(await service.form(UPSERT, row)),
  'a person who types it in': async ({ row }, { one }) => one(await editor.post(UPSERT, row)),
  'a service that is removed and sent again': async ({ row, event, eventRow }, { one }) => {
    await removed(`/v1/events/${event}?cascade=true`);
    const { unique_identifier } = await ok('/v1/events/upsert', eventRow);
    one(await service.json(UPSERT, { ...row, event_unique_identifier: unique_identifier }));
  },
  'an array': async (person, { rows, many }) => many(await sendArray(on, RESOURCE, rows(person))),
  'an atomic array': async (person, { rows, many }) =>
    many(await sendArray(on, RESOURCE, rows(person), { query: '?atomic=true' })),
  'lines of a stream': async (person, { rows, many }) =>
    many(await sendLines(on, RESOURCE, linesOf(...rows(person)))),
  'a table that is sent': async (person, { rows, many }) => {
    const headers = { 'Content-Type': 'text/csv' };
    many(await sendLines(on, RESOURCE, csvOf(...rows(person)), { headers }));
  },
  'a sync that names it': async (person, { rows, many }) => {
    const asked = { resource: 'event_check_in_record', location: person.location };
    const { unique_identifier } = await ok('/v1/syncs', asked);
    const headers = { 'Ledgerstone-Sync': unique_identifier };
    many(await sendArray(on, RESOURCE, rows(person), { headers }));
    await ok(`/v1/syncs/${unique_identifier}/finish`);
  },
  'a file that is imported by command': (person, { rows }) =>
    importedByCommand(`${RESOURCE}.csv`, csvOf(...rows(person))),
  'lines that are imported by command': (person, { rows }) =>
    importedByCommand(`${RESOURCE}.ndjson`, linesOf(...rows(person))),
  'a file that is imported at the console': async (person, { rows }) => {
    const { text } = await importedByConsole(...rows(person));
    assert.match(text, /"created":1/);
    assert.doesNotMatch(text, /visitor \d/, 'it is not among the rejected rows');
  },
};

/** By the identifier of its service that the sender has. */
const byItsNames = ({ row, location, eventRow }: Person): Promise<Answer> =>
  service.json(UPSERT, {
    ...{ ...row, event_unique_identifier: undefined, location_unique_identifier: location },
    event_external_identifier: eventRow.external_identifier,
  });

interface Way {
  /** What there is before the erasure. */
  readonly first?: (person: Person) => Promise<unknown>;
  /** Tries, and looks at the answer. */
  readonly back: (person: Person, first: never) => Promise<unknown>;
  readonly headers?: Record<string, string>;
}

const FIRST = { 'Idempotency-Key': 'first' };
const CHANGE = { visitor_full_name: 'X' };
const changed = ({ record }: Person) =>
  service.patch(`${VISITORS}/${record}`, CHANGE, { headers: { 'Idempotency-Key': 'change' } });

const ways: Readonly<Record<string, Way>> = {
  'an upsert that may only create': {
    back: async ({ row }) => {
      const headers = { 'Ledgerstone-Mode': 'create_only' };
      refused(await service.json(UPSERT, row, { headers }));
    },
  },
  'a dry run': {
    back: async ({ row, other }) => {
      refused(await service.json(`${UPSERT}?dry_run=true`, row));
      halved(await sendArray(on, RESOURCE, [row, other], { query: '?dry_run=true' }));
    },
  },
  'a repeat of the request that made it': {
    headers: FIRST,
    back: async ({ row }) => refused(await service.json(UPSERT, row, { headers: FIRST })),
  },
  'a repeat of a change of it': {
    first: async (person) => assert.equal((await changed(person)).status, 200),
    back: async (person) => refused(await changed(person)),
  },
  'an array that is sent again': {
    back: async ({ row, other }) => {
      const headers = { 'Idempotency-Key': `array-${count}` };
      for (const _ of [1, 2]) halved(await sendArray(on, RESOURCE, [row, other], { headers }));
    },
  },
  'the identifier of its service that the sender has': {
    back: async (person) => refused(await byItsNames(person)),
  },
  'a change of it': {
    back: async ({ record, event, row }) => {
      refused(await service.patch(`${VISITORS}/${record}`, CHANGE));
      refused(await editor.send('PATCH', `${VISITORS}/${record}`, CHANGE));
      const pair = `event_unique_identifier=${event}&external_identifier=${row.external_identifier}`;
      const { status } = await service.patch(`${VISITORS}?${pair}`, CHANGE);
      assert.ok(status === 404 || status === 410, `${status}`);
    },
  },
  'a change of another, which takes its identifier': {
    first: ({ other }) => ok(UPSERT, other),
    back: async ({ row: { external_identifier } }, made: Body) => {
      const path = `${VISITORS}/${made.unique_identifier}`;
      const { status, body } = await service.patch(path, { external_identifier });
      assert.deepEqual([status, body.error.param], [400, 'external_identifier']);
    },
  },
  'a move of its like from another service': {
    first: async ({ row }) => {
      const { event } = await visits();
      return ok(UPSERT, { ...row, event_unique_identifier: event });
    },
    back: async ({ event }, made: Body) => {
      const path = `${VISITORS}/${made.unique_identifier}`;
      const { status, body } = await service.patch(path, { event_unique_identifier: event });
      assert.deepEqual([status, body.error.param], [400, 'event_unique_identifier']);
    },
  },
  'a restore of it': {
    first: ({ record }) => removed(`${VISITORS}/${record}`),
    back: async ({ record }) =>
      refused(await service.json(`${VISITORS}/${record}/restore`, { version: 1 })),
  },
  'a restore of all that was removed with it': {
    first: ({ event }) => removed(`/v1/events/${event}?cascade=true`),
    back: async ({ event }, removal: string) => {
      await service.send('POST', `/v1/removals/${removal}/restore`);
      await read(`/v1/events/${event}`);
    },
  },
  'the undo of a sync that removed it': {
    first: async ({ location, event }) => {
      const asked = { resource: 'event', location, at_most: '100%' };
      const path = `/v1/syncs/${(await ok('/v1/syncs', asked)).unique_identifier}`;
      await ok(`${path}/finish`);
      await until(async () => (await service.get(path)).body.status === 'finished');
      assert.equal((await service.get(`/v1/events/${event}`)).status, 404);
      return path;
    },
    back: async ({ event }, path: string) => {
      await until(async () => {
        const { body } = await service.send('POST', `${path}/undo`);
        return body.status === 'undone';
      });
      await read(`/v1/events/${event}`);
    },
  },
  'a proposal that staff accepts': {
    first: async ({ record, row }) => {
      const pinned = { visitor_phone_number: '+14155550199' };
      await ok(`${VISITORS}/${record}`, pinned, pins, 'PATCH');
      await ok(UPSERT, { ...row, visitor_phone_number: '+14155550111' });
      const { data } = await read(`/v1/proposals?record=${record}`, service.key);
      return data[0].unique_identifier;
    },
    back: async (_, proposal: string) => {
      const path = `/v1/proposals/${proposal}/accept`;
      const { status, text } = await service.send('POST', path, { key: pins });
      assert.ok(status === 404 || status === 410, text);
    },
  },
  'the undo of an import that had changed it': {
    first: async ({ row }) =>
      (await importedByConsole({ ...row, visitor_full_name: 'Changed' })).id,
    back: async (_, id: string) => {
      await editor.post(`/imports/${id}/undo`, { dry_run: false });
    },
  },
  ...Object.fromEntries(
    Object.entries(sends).map(([name, back]) => [
      name,
      { back: (person: Person) => back(person, ERASED) },
    ]),
  ),
};

describe('Nobody who was erased comes back by', () => {
  for (const [name, { first, back, headers }] of Object.entries(ways))
    it(name, async () => {
      const person = await visits(headers);
      const made = await first?.(person);
      const { record, event, row } = person;
      assert.equal((await on.erase(record)).status, 'done');
      await back(person, made as never);

      for (const end of ['', '/history', '?version=1'])
        refused(await service.get(`${VISITORS}/${record}${end}`));
      const { data } = await read(`${VISITORS}?limit=1000`, service.key);
      const there = data.filter(
        (one: Body) =>
          one.unique_identifier === record ||
          (one.external_identifier === row.external_identifier &&
            one.event_unique_identifier === event),
      );
      assert.deepEqual(there, []);
    });
});

describe('Who was erased by mistake comes back, once that was lifted, by', () => {
  for (const [name, back] of Object.entries(sends))
    it(name, async () => {
      const person = await visits();
      const { record, row } = person;
      const { unique_identifier: id } = await on.erase(record);
      refused(await service.json(UPSERT, row));
      // Half of them by another process than the one that is sent to.
      if (count % 2 === 0) await program.json('erasures', 'lift', id, '--record', record);
      else await ok(`/v1/erasures/${id}/lift`, { record }, on.officer);
      await back(person, TAKEN);
      const made = async (): Promise<Body[]> =>
        (await read(`${VISITORS}?limit=1000`, service.key)).data.filter(
          (one: Body) => one.external_identifier === row.external_identifier,
        );
      const [again] = await made();
      assert.notEqual(again?.unique_identifier, undefined);
      assert.notEqual(again?.unique_identifier, record);
      await on.erase(again?.unique_identifier);
      refused(await byItsNames(person));
      assert.deepEqual(await made(), []);
    });
});
