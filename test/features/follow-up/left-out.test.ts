/** What people add themselves opens no follow-up, what they read of a card does, and what was left out is told to those who see all of it. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signedIn } from '../../support/console.ts';
import { keyed } from '../../support/secret-key.ts';
import { visitorBody } from '../../support/sent.ts';
import type { Body } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { world } from '../../support/world.ts';

const PATH = '/v1/follow_ups';

describe('Follow-ups', () => {
  const on = world({ settings: keyed() }, async ({ read }) => void (await read(PATH)));
  const { service } = on;
  const ofRecord = async (record: string): Promise<readonly Body[]> =>
    (await on.read(`${PATH}?record=${record}`)).data;
  const leftOut = async (key?: string) => (await on.read(PATH, key)).left_out;

  it('are opened by what people read of a card, and by nothing that they add', async () => {
    const person = await signedIn(service);
    const interested = { visitor_interested_in_pre_planning: true };
    const typed = visitorBody(on.event, 'typed', interested);
    const arrangement = {
      ...{ location_unique_identifier: on.location, external_identifier: 'typed' },
      ...{ person_full_name: 'Typed', person_phone_number: '+14155550144', cart_summary: 'a' },
    };
    const added = [
      await person.post('/v1/event_check_in_records/upsert', typed),
      await person.post('/v1/online_arrangements/upsert', arrangement),
    ];
    for (const { status, text } of added) assert.equal(status, 200, text);
    const { unique_identifier: card } = await on.made('direct_mail_replies', 'card');
    const read = { additional_metadata: { 'Please call me': 'yes' } };
    const path = `/v1/direct_mail_replies/${card}`;
    const { status, text } = await person.send('PATCH', path, read);
    assert.equal(status, 200, text);
    await until(async () => (await ofRecord(card)).length === 1);
    for (const { body } of added) assert.deepEqual(await ofRecord(body.unique_identifier), []);
    assert.deepEqual(await leftOut(), { staff: 2 });
  });

  it('say what was left out to nobody who sees only some', async () => {
    const may = { permissions: ['read'], allow: ['follow_up'] } as const;
    const limits = [
      { ...may, anchors: [on.location] },
      { ...may, resources: ['event_check_in_records'] },
    ];
    for (const limit of limits)
      assert.deepEqual(await leftOut((await service.newKey(limit)).secret), {});
    assert.deepEqual(await leftOut((await service.newKey(may)).secret), { staff: 2 });
  });
});
