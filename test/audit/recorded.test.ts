/** Whatever people see, search and take away is in the audit, without a word of what was seen or searched. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { administrator, type ConsoleBrowser, OWN, signedIn } from '../support/console.ts';
import { type Made, makeRecords } from '../support/console-records.ts';
import { pluck } from '../support/pluck.ts';
import { keyed } from '../support/secret-key.ts';
import { eventBody } from '../support/sent.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';
import { served } from '../support/world.ts';

const SOUGHT = 'rumpelstilzchenqx';

describe('The audit', () => {
  let made: Made;
  let person: ConsoleBrowser & { session: Body };
  let auditor: string;

  const entries = async (query: string, key = auditor): Promise<Body[]> => {
    const { status, text, body } = await service.get(`/v1/audit?${query}`, { key });
    assert.equal(status, 200, text);
    return body.data;
  };
  /** The first entry of that query, as soon as it is written. */
  const entry = async (query: string): Promise<Body> => {
    let found: Body | undefined;
    await until(async () => {
      [found] = await entries(query);
      return found !== undefined;
    });
    return found as Body;
  };
  const staff = (): string => person.session.staff.unique_identifier;

  const service = served({ settings: keyed() }, async () => {
    made = await makeRecords(service);
    person = await signedIn(service);
    auditor = (await service.newKey({ permissions: ['read'], allow: ['audit'] })).secret;
  });

  it('tells of each record that a person opens, and who has seen a record', async () => {
    const path = `/v1/event_check_in_records/${made.visitor}`;
    const { headers } = await person.get(path);
    const read = await entry(`record=${made.visitor}&action=read`);
    assert.equal(read.by, staff());
    assert.equal(read.account, service.account.unique_identifier);
    assert.equal(read.resource, 'event_check_in_record');
    assert.equal(read.request_id, headers.get('request-id'));
    assert.equal(read.address, '127.0.0.1');
    await person.get(`${path}/history`);
    await entry(`record=${made.visitor}&action=history`);
    await person.get('/v1/event_check_in_records?limit=2');
    assert.equal((await entry('action=list')).resource, 'event_check_in_record');
    // What is refused was not seen.
    await person.get('/v1/events/evt_000000000000000000000');
    await person.get(`/v1/events/${made.event}`);
    await entry(`record=${made.event}`);
    // Who lists its visitors has looked at that family.
    await person.get(`/v1/event_check_in_records?event_unique_identifier=${made.event}`);
    const listed = await entry(`record=${made.event}&action=list`);
    assert.equal(listed.resource, 'event_check_in_record');
    assert.deepEqual(await entries('record=evt_000000000000000000000'), []);
    // Places say nothing of people, and a page that follows the changes sees no records.
    await person.send('PATCH', `/v1/locations/${made.locations[0]}`, {});
    const { headers: followed } = await person.get('/v1/changes');
    assert.deepEqual(await entries(`record=${made.locations[0]}`), []);
    const all = await entries('limit=1000');
    assert.ok(!all.some(({ request_id }) => request_id === followed.get('request-id')));
  });

  it('tells by what kind a person searched, and nowhere of what', async () => {
    for (const [q, kind] of [
      [SOUGHT, 'name'],
      [`${SOUGHT}@example.com`, 'email_address'],
      ['(415) 555-0199', 'phone_number'],
    ] as const) {
      const { status, text } = await person.post('/v1/search', { q });
      assert.equal(status, 200, text);
      await until(async () => {
        const found = await entries('action=search');
        return found.some(({ what }) => what === kind);
      });
    }
    const everything = JSON.stringify(await entries('limit=1000'));
    assert.ok(!everything.includes(SOUGHT));
    const { file } = service.app.store;
    if (file === undefined) return;
    const beside = join(file, '..');
    for (const path of readdirSync(beside).map((name) => join(beside, name)))
      if (path.startsWith(file)) assert.ok(!readFileSync(path).includes(SOUGHT), path);
  });

  it('tells of an export and of a sign-in before they happen', async () => {
    const answer = await fetch(`${service.url}/console/api/exports`, {
      method: 'POST',
      headers: { ...OWN, Cookie: person.cookie ?? '', 'Content-Type': 'application/json' },
      body: JSON.stringify({ resources: ['events'], format: 'csv' }),
    });
    assert.equal(answer.status, 200);
    const [exported] = await entries('action=export');
    assert.equal(exported?.what, 'csv events');
    assert.equal(exported?.by, staff());
    await answer.arrayBuffer();
    // A page says what it prints or saves.
    await person.post('/printed', { what: 'events' });
    assert.equal((await entry('action=print')).what, 'events');
    assert.equal((await person.post('/printed', { what: SOUGHT })).status, 400);
    assert.equal((await entry(`action=sign_in&by=${staff()}`)).what, 'password succeeded');
  });

  it('tells what administrators do, and what is erased, before it is done', async () => {
    const admin = await administrator(service);
    const accounts = [service.account.unique_identifier];
    const { status, body } = await admin.post('/keys', { accounts, name: 'tablet' });
    assert.equal(status, 200);
    const [asked] = await entries('action=administer');
    assert.ok(['create_key', 'key_created'].includes(asked?.what ?? ''));
    const key = await entry(`action=administer&record=${body.unique_identifier}`);
    assert.equal(key.by, admin.session.staff.unique_identifier);
    assert.equal(key.what, 'key_created');

    const officer = await service.newKey({ permissions: ['read'], allow: ['erase'] });
    const by = { key: officer.secret };
    const records = [made.visitor];
    const begun = await service.json('/v1/erasures', { account: accounts[0], records }, by);
    const { unique_identifier } = begun.body;
    const ran = await service.json(`/v1/erasures/${unique_identifier}/run`, { records }, by);
    assert.equal(ran.status, 200, ran.text);
    const [erased] = await entries(`record=${unique_identifier}&action=erase`);
    assert.equal(erased?.what, 'run_erasure');
    assert.match(erased?.by ?? '', /^key_/);
  });

  it('tells of another region and of merged sources before, whoever does it, and of nothing that stays', async () => {
    const admin = await administrator(service, 'regions@example.com');
    const [location = ''] = made.locations;
    const account = service.account.unique_identifier;
    const path = `/v1/locations/${location}/settings`;
    const set = async (body: object): Promise<void> => {
      const sent = await service.patch(path, body);
      assert.equal(sent.status, 200, sent.text);
    };
    const found = async () =>
      (await entries(`record=${location}&action=administer`)).map(({ by, what, account: of }) => [
        ...[by.slice(0, 4), what, of],
      ]);
    await set({ region: 'East' });
    const byKey = ['key_', 'patch_location_settings', account];
    assert.deepEqual(await found(), [byKey]);
    await set({ region: ' East', time_zone: 'America/New_York' });
    assert.deepEqual(await found(), [byKey], 'nobody sees more or less');
    assert.equal((await admin.send('PATCH', path, { region: '' })).status, 200);
    const byPerson = ['stf_', 'patch_location_settings', account];
    assert.deepEqual(await found(), [byPerson, byKey]);
    const missing = await service.patch('/v1/locations/loc_none/settings', { region: 'East' });
    assert.equal(missing.status, 404);
    assert.deepEqual(await entries('record=loc_none'), []);

    const { secret } = await service.newKey({ name: 'another source', allow: ['sources'] });
    const by = { key: secret };
    await service.json('/v1/events/upsert', eventBody(location, 'of another'), by);
    const [first, second] = (await service.get('/v1/sources', by)).body.data;
    const merging = `/v1/sources/${second.unique_identifier}/merge`;
    const merged = await service.json(merging, { into: first.unique_identifier }, by);
    assert.equal(merged.status, 200, merged.text);
    const [entry] = await entries(`record=${second.unique_identifier}`);
    assert.deepEqual([entry?.what, entry?.account], ['merge_source', account]);
  });

  it('says nothing of what keys read on their way, and shows other accounts nothing', async () => {
    const before = (await entries(`record=${made.event}`)).length;
    await service.get(`/v1/events/${made.event}`);
    await person.get(`/v1/events/${made.event}/history`);
    await entry(`record=${made.event}&action=history`);
    assert.equal((await entries(`record=${made.event}`)).length, before + 1);

    const other = await service.another();
    const theirs = (await other.newKey({ permissions: ['read'], allow: ['audit'] })).secret;
    assert.deepEqual(await entries('', theirs), []);
  });

  it('shows a key of several accounts the entries of all of them, newest first', async () => {
    const other = await service.another();
    const theirs = await signedIn(other, 'editor@other.example.com');
    const group = await makeRecords(other);
    // They are written in their order: when the later one is there, so is the other.
    await person.get(`/v1/events/${made.event}`);
    await theirs.get(`/v1/events/${group.event}`);
    const accounts = [service, other].map(({ account }) => account.unique_identifier);
    const limits = { accounts, permissions: ['read'], allow: ['audit'] } as const;
    const { secret: both } = await service.newKey(limits);
    await until(async () => (await entries(`record=${group.event}`, both)).length === 1);
    assert.deepEqual(await entries(`record=${group.event}`), []);
    const all = await entries('limit=1000', both);
    const times = pluck(all, 'time');
    assert.deepEqual(times, times.toSorted().reverse());
    assert.deepEqual(new Set(all.map(({ account }) => account)), new Set(accounts));
    const found = await entries(`limit=3&starting_after=${all[4].unique_identifier}`, both);
    assert.deepEqual(found, all.slice(5, 8));
    assert.deepEqual(await entries(`account=${accounts[1]}`, auditor), []);
  });

  it('is walked page by page, and filtered by time', async () => {
    const all = await entries('limit=1000');
    const walked: Body[] = [];
    for (;;) {
      const after = walked.at(-1)?.unique_identifier;
      const page = await entries(`limit=3${after === undefined ? '' : `&starting_after=${after}`}`);
      walked.push(...page);
      if (page.length < 3) break;
    }
    assert.deepEqual(pluck(walked, 'unique_identifier'), pluck(all, 'unique_identifier'));
    const lines = async (query: string) => {
      const headers = { Accept: 'application/x-ndjson' };
      const { status, text } = await service.get(`/v1/audit?${query}`, { key: auditor, headers });
      const rows = text.split('\n').flatMap((one) => (one ? [JSON.parse(one)] : []));
      return { status, text, rows };
    };
    assert.deepEqual((await lines('')).rows, all);
    const seen = (await lines(`starting_after=${all[4]?.unique_identifier}`)).rows;
    assert.deepEqual(seen, all.slice(5));
    assert.deepEqual((await lines('time[lt]=2020-01-01T00:00:00Z')).text, '');
    const limited = await lines('limit=3');
    assert.deepEqual([limited.status, limited.rows[0].error.param], [400, 'limit']);
    // What a person takes as a whole is an export.
    const officer = await signedIn(service, 'officer@example.com', { allow: ['audit'] });
    const { status } = await officer.send('GET', '/v1/audit', undefined, {
      ...OWN,
      Accept: 'application/x-ndjson',
    });
    assert.equal(status, 200);
    const by = officer.session.staff.unique_identifier;
    assert.equal((await entry(`action=export&by=${by}`)).what, 'list_audit');
    assert.deepEqual(await entries('time[lt]=2020-01-01T00:00:00Z'), []);
    const wrong = await service.get('/v1/audit?starting_after=aud_x', { key: auditor });
    assert.equal(wrong.body.error.param, 'starting_after');
  });

  it('tells of a stream when its first record leaves, and when signing out ends it', async () => {
    for (const form of ['text/event-stream', 'application/x-ndjson']) {
      const viewer = await signedIn(service);
      const answer = await fetch(`${service.url}/console/api/v1/changes?expand[]=record`, {
        headers: { ...OWN, Cookie: viewer.cookie ?? '', Accept: form },
      });
      const id = answer.headers.get('request-id');
      const reader = answer.body?.getReader();
      assert.ok(!(await reader?.read())?.done);
      const written = async (): Promise<number> =>
        (await entries('action=list&limit=1000')).filter(({ request_id }) => request_id === id)
          .length;
      await until(async () => (await written()) === 1);
      await viewer.post('/sign_out');
      for (let read = await reader?.read(); read?.done === false; read = await reader?.read());
      await until(async () => (await written()) === 2);
    }
  });
});
