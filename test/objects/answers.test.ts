/** What is answered of our own objects, member by member: programs read it, so a declaration that moves changes none of it. */
// needs: program, both stores with --all
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readSettings } from '../../src/core/config.ts';
import { openStoreAlone } from '../../src/store/open.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { administrator, invitation } from '../support/console.ts';
import type { Body } from '../support/service.ts';
import { served } from '../support/world.ts';

const AT = Date.parse('2026-11-21T02:00:07.125Z');
const HOUR = Date.parse('2026-11-21T02:00:00Z');

/** The text with identifiers and times that differ from run to run as stars. */
function masked(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(/"([a-z]+_)[0-9A-Za-z]{22}"/g, '"$1*"')
    .replaceAll(/"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"/g, '"*$1Z"');
}

const importRun = (accounts: readonly string[]) => ({
  ...{ unique_identifier: 'imp_0350hLTg4Qw7ghih1EWE8L', fingerprint: 'f' },
  by: null,
  status: 'finished' as const,
  files: [{ name: '/tmp/chapels.csv', resource: 'locations', rejected: '/tmp/chapels.rejected' }],
  ...{ accounts, began: {}, chunk: 100, position: { file: 0, rows: 3, rejected: [9] } },
  counts: { created: 1, updated: 2, unchanged: 3, failed: 4 },
  ...{ inserted_at: AT, updated_at: AT },
});

describe('Answers', () => {
  let account: string;
  let watch: { readonly secret: string; readonly id: string };

  const service = served({}, async () => {
    account = service.account.unique_identifier;
    const made = await service.newKey({ allow: ['requests'] });
    watch = { secret: made.secret, id: made.key.unique_identifier };
  });

  it('tell of a refused request, and of activity', async () => {
    const { requests } = service.app.store;
    const key = 'key_0350hLTg4Qw7ghih1EWE8M';
    const rows = {
      ...{ request_id: 'req_0350hLTg4Qw7ghih1EWE8L', time: AT, key, account },
      ...{ authentication: null, address: '203.0.113.7', method: 'POST' },
      ...{ path: '/v1/events/upsert_many', status: 200, code: 'datetime_invalid' },
      faults: [
        { code: 'datetime_invalid', param: 'event_datetime', count: 1, rows: [57] },
        { code: 'parameter_unknown', param: '*', message: 'Unknown.', nearest: 'name', count: 2 },
      ],
      rows: { numbered: 'lines' as const, counts: { created: 199, datetime_invalid: 1 } },
    };
    const bare = {
      ...{ ...rows, request_id: 'req_0350hLTg4Qw7ghih1EWE8M', time: AT - 1, address: null },
      ...{ authentication: 'revoked', status: 401, code: 'api_key_revoked' },
      ...{ faults: [], rows: null },
    };
    const counted = { hour: HOUR, account, key, count: 199, last_at: AT };
    await requests.note(
      [rows, bare],
      [
        { ...counted, anchor: 'loc_0350hLTg4Qw7ghih1EWE8N', resource: 'event', outcome: 'created' },
        { ...counted, anchor: '', resource: '', outcome: 'read', count: 1 },
      ],
    );
    const seen = { key: watch.secret };
    const refused = (await service.get(`/v1/requests?key=${key}`, seen)).body.data;
    assert.deepEqual(refused.map(masked), [
      '{"object":"request","request_id":"req_*","time":"*.125Z","key":"key_*","account":"acct_*","address":"203.0.113.7","method":"POST","path":"/v1/events/upsert_many","status":200,"code":"datetime_invalid","message":"A date and time is not in an accepted form.","errors":[{"code":"datetime_invalid","param":"event_datetime","message":"A date and time is not in an accepted form.","count":1,"lines":[57]},{"code":"parameter_unknown","param":"*","message":"Unknown. The known name that is most like it is name.","nearest":"name","count":2}],"rows":{"created":199,"datetime_invalid":1}}',
      '{"object":"request","request_id":"req_*","time":"*.124Z","key":"key_*","account":"acct_*","authentication":"revoked","method":"POST","path":"/v1/events/upsert_many","status":401,"code":"api_key_revoked","message":"The API key was revoked.","errors":[]}',
    ]);
    const activity = (await service.get(`/v1/activity?key=${key}`, seen)).body.data;
    const shown = activity.map(({ cursor, ...rest }: Body) => {
      assert.equal(JSON.parse(Buffer.from(cursor, 'base64url').toString()).length, 6);
      return masked(rest);
    });
    assert.deepEqual(shown, [
      '{"object":"activity","hour":"*.000Z","account":"acct_*","key":"key_*","location":"loc_*","resource":"event","outcome":"created","count":199,"last_at":"*.125Z"}',
      '{"object":"activity","hour":"*.000Z","account":"acct_*","key":"key_*","outcome":"read","count":1,"last_at":"*.125Z"}',
    ]);
    const [first, second] = activity;
    const next = await service.get(`/v1/activity?key=${key}&starting_after=${first.cursor}`, seen);
    assert.deepEqual(next.body.data, [second]);
  });

  it('tell of a removal and its restore', async () => {
    const location = await service.location();
    const event = await service.event(location);
    await service.send('DELETE', `/v1/events/${event}`);
    const [removal] = (await service.get('/v1/removals')).body.data;
    assert.equal(
      masked({ ...removal, external_identifier: '' }),
      '{"object":"removal","unique_identifier":"rem_*","account":"acct_*","resource":"event","record":"evt_*","external_identifier":"","name":"Celebration of life","location":"loc_*","count":1,"version":1,"key":"key_*","removed_at":"*Z"}',
    );
    const path = `/v1/removals/${removal.unique_identifier}/restore`;
    const restored = await service.send('POST', path);
    assert.equal(
      masked(restored.body),
      '{"object":"restored_removal","unique_identifier":"rem_*","restored":1,"left":[],"left_count":0}',
    );
  });

  it('tell of a self-test', async () => {
    const { body } = await service.send('POST', '/v1/self_tests');
    const { checks, ...rest } = body;
    assert.equal(
      masked({ ...rest, checks: checks.length, first: { ...checks[0], does: '', seen: '' } }),
      '{"object":"self_test","unique_identifier":"slf_*","account":"acct_*","key":"key_*","status":"open","passed":0,"inserted_at":"*Z","expires_at":"*Z","checks":12,"first":{"name":"nested_fields","does":"","status":"missing","seen":""}}',
    );
    assert.deepEqual(Object.keys(body).slice(-3), ['checks', 'inserted_at', 'expires_at']);
    const { data } = (await service.get('/v1/self_tests')).body;
    assert.deepEqual(data, [body]);
  });

  it('tell of an import, an invitation and a backup to people', async () => {
    const { store } = service.app;
    const person = await administrator(service);
    await store.imports.put(importRun([account]));
    const { data } = (await person.get('/v1/imports')).body;
    assert.deepEqual(data.map(masked), [
      '{"object":"import","unique_identifier":"imp_*","status":"finished","files":[{"name":"chapels.csv","resource":"locations"}],"accounts":["acct_*"],"counts":{"created":1,"updated":2,"unchanged":3,"failed":4},"inserted_at":"*Z","updated_at":"*Z"}',
    ]);
    const token = await invitation(service, 'ann@example.com');
    const looked = await person.post('/invitations/look', { token });
    assert.equal(
      masked(looked.body),
      '{"object":"invitation","email":"ann@example.com","name":null,"role":"editor","accounts":["Example Funeral Group"],"invited_by":null,"password_allowed":true,"expires_at":"*Z"}',
    );
    await store.backups.note({ taken_at: AT, checked_at: AT, number: 1 });
    assert.equal(
      masked((await person.get('/backup')).body),
      '{"object":"backup","taken_at":"*Z","checked_at":"*Z","overdue":true}',
    );
  });
});

describe('The command line', () => {
  it('prints accounts and imports', async () => {
    const cwd = ownFolder();
    const { json } = programIn(cwd);
    const made = await json<Body>('accounts', 'create', '--name', 'A', '--test');
    const members =
      '"unique_identifier":"acct_*","name":"A","livemode":false,"inserted_at":"*Z","updated_at":"*Z"';
    assert.equal(masked(made), `{"object":"account",${members}}`);
    const closed = await json<Body>('accounts', 'close', made.unique_identifier);
    assert.equal(masked(closed), `{"object":"account",${members},"closed_at":"*Z"}`);
    const file = join(cwd, 'data/ledgerstone.db');
    const store = await openStoreAlone(readSettings({}, { DATABASE_URL: `sqlite:${file}` }), {
      create: false,
    });
    await store.imports.put(importRun([made.unique_identifier]));
    await store.close();
    const counts = '"created":1,"updated":2,"unchanged":3,"failed":4';
    assert.equal(
      masked(await json<Body>('imports', 'list')),
      `[{"object":"import","unique_identifier":"imp_*","status":"finished","files":[{"name":"/tmp/chapels.csv","resource":"locations","rejected":"/tmp/chapels.rejected"}],"accounts":["acct_*"],"counts":{${counts}},"inserted_at":"*Z","updated_at":"*Z",${counts}}]`,
    );
  });
});
