/** A key that is limited, by locations or by resources, touches nothing beyond that, by whichever operation. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { resources } from '../../src/core/registry.ts';
import { operationsOf } from '../../src/edge/operations/index.ts';
import { type Body, type Service, startService } from '../support/service.ts';
import { folderGround } from '../support/service-ground.ts';

const RIGHTS = ['erase', 'hold', 'sources', 'requests', 'audit', 'webhooks'];
/** What each may answer a key that is limited to locations and to reply cards: why that shows nothing of other resources. */
const ANSWERS: Readonly<Record<string, string>> = {
  list_changes: 'leaves out other resources',
  list_removals: 'leaves out other resources',
  list_proposals: 'leaves out other resources',
  search: 'looks through its resources alone',
  search_by_body: 'looks through its resources alone',
  retrieve_account_settings: 'are of the account',
  patch_account_settings: 'are of the account',
  list_location_settings: 'are of locations',
  retrieve_location_settings: 'are of locations',
  patch_location_settings: 'are of locations',
  list_location_pins: 'are of locations',
  delete_location_pin: 'are of locations',
  list_sources: 'are names of systems',
  list_syncs: 'leaves out other resources',
  get_me: 'is the key itself',
  acknowledge_erasure: 'takes a word, and shows nothing',
  list_webhook_endpoints: 'are its own',
  create_webhook_endpoint: 'is its own, and delivers what the key may read',
  list_self_tests: 'are its own',
  open_self_test: 'is its own',
};

describe('Keys that are limited', () => {
  let service: Service;
  let limited: Readonly<Record<'resources' | 'locations', string>>;
  const ids: Record<string, string> = {};
  const operations = operationsOf(resources);

  before(async () => {
    const ground = await folderGround();
    const secret_key_file = join(ground.folder, 'secret-key');
    writeFileSync(secret_key_file, `${randomBytes(32).toString('base64')}\n`);
    service = await startService({ ground, settings: { secret_key_file } });
    const home = await service.location();
    const other = (await service.location('other')) as string;
    const event = await service.event(home);
    const visitor = {
      visitor_phone_number: '+14155550100',
      visitor_relationship_to_deceased: 'friend',
    };
    const sent = { event_unique_identifier: event, external_identifier: 'ida' };
    const { body: visit } = await service.json('/v1/event_check_in_records/upsert', {
      ...{ ...sent, ...visitor, visitor_full_name: 'Ida Rumpelstilzchen' },
    });
    const officer = (await service.newKey({ permissions: ['read', 'write'], allow: RIGHTS }))
      .secret;
    const ok = async (path: string, body: object, key = officer): Promise<Body> => {
      const answer = await service.json(path, body, { key });
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    };
    const { unique_identifier: account } = service.account;
    const gone = { event_unique_identifier: event, external_identifier: 'leo' };
    const { body: leo } = await service.json('/v1/event_check_in_records/upsert', {
      ...{ ...gone, ...visitor, visitor_full_name: 'Leo Rumpelstilzchen' },
    });
    const deleted = await service.send(
      'DELETE',
      `/v1/event_check_in_records/${leo.unique_identifier}`,
    );
    ids['/v1/removals'] = deleted.headers.get('Ledgerstone-Removal') ?? '';
    ids['/v1/erasures'] = (
      await ok('/v1/erasures', { account, records: [visit.unique_identifier] })
    ).unique_identifier;
    ids['/v1/holds'] = (
      await ok('/v1/holds', { account, record: event, matter: 'A' })
    ).unique_identifier;
    ids['/v1/syncs'] = (
      await ok(
        '/v1/syncs',
        { resource: 'event_check_in_record', location: home },
        (
          await service.newKey({ permissions: ['read', 'write', 'delete'] })
        ).secret,
      )
    ).unique_identifier;
    const key = (more: object) =>
      service.newKey({ permissions: ['read', 'write', 'delete'], allow: RIGHTS, ...more });
    limited = {
      resources: (await key({ resources: ['locations', 'direct_mail_replies'] })).secret,
      locations: (await key({ anchors: [other] })).secret,
    };
  });
  after(() => service.stop());

  for (const { name = '', route, needs = {} } of operations) {
    it(`${route}`, async () => {
      const [method = '', path = ''] = route.split(' ');
      const [group = ''] = path.split('/:');
      const at = path.replace(':unique_identifier', ids[group] ?? `loc_${'0'.repeat(22)}`);
      for (const [limit, key] of Object.entries(limited)) {
        const json = { body: '{}', headers: { 'Content-Type': 'application/json' } };
        const sent = ['POST', 'PATCH'].includes(method) ? json : {};
        const answer = await service.send(method, at.replace(':member', 'name'), { key, ...sent });
        const why = `${limit}: ${answer.status} ${answer.text}`;
        assert.doesNotMatch(answer.text, /Rumpelstilzchen|"external_identifier":"ida"/, why);
        if (needs.whole === true) {
          assert.deepEqual(
            [answer.status, answer.body.error.code],
            [403, 'whole_account_needed'],
            why,
          );
          continue;
        }
        const answers = answer.status < 400 || answer.status === 422;
        assert.ok(!answers || name in ANSWERS, `${why}: say in ANSWERS why it may answer`);
      }
    });
  }
});
