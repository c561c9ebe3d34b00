/** Records that come with a phone number or an email address of a person who was erased are noted, and refused to nobody. */
// needs: both stores
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { resources } from '../../src/core/registry.ts';
import { SeenAgain } from '../../src/services/erasures/seen-again.ts';
import { type Body, type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { webhookSettings } from '../support/webhook-receiver.ts';

const YEARS = 3 * 365 * 86_400_000;

describe('An erased person who comes back', () => {
  const { settings, remove } = webhookSettings();
  let service: Service;
  let officer: string;
  let event: string;

  const ok = async (path: string, body: object, key?: string): Promise<Body> => {
    const answer = await service.json(path, body, key === undefined ? {} : { key });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const visit = async (name: string, more: object): Promise<string> =>
    (
      await ok('/v1/event_check_in_records/upsert', {
        ...{ event_unique_identifier: event, external_identifier: name },
        ...{ visitor_full_name: name, ...more },
      })
    ).unique_identifier;
  const begin = async (selectors: object): Promise<Body> =>
    ok('/v1/erasures', { account: service.account.unique_identifier, ...selectors }, officer);
  const run = (id: string, records: readonly string[], more: object = {}) =>
    ok(`/v1/erasures/${id}/run`, { records, ...more }, officer);
  const erase = async (selectors: object, records: readonly string[]): Promise<string> => {
    const { unique_identifier: id } = await begin(selectors);
    assert.equal((await run(id, records)).status, 'done');
    return id;
  };
  const find = async (id: string): Promise<Body> =>
    (await service.get(`/v1/erasures/${id}`, { key: officer })).body;
  const seenOf = async (id: string): Promise<readonly string[]> =>
    (await find(id)).seen_again.map((one: Body) => `${one.record} ${one.reasons}`).toSorted();
  const sees = async (id: string, ...wanted: readonly string[]) => {
    const isThere = async () => (await seenOf(id)).join() === wanted.toSorted().join();
    await until(isThere, 60_000).catch(() => undefined);
    assert.deepEqual(await seenOf(id), wanted.toSorted());
  };
  /** Looks at all that was changed until now, as the service does from time to time. */
  const look = async (): Promise<void> => {
    const seeing = new SeenAgain(service.app.store, resources, Date.now);
    for (let rounds = 0; rounds < 3; ) if (!(await seeing.piece())) rounds += 1;
  };

  before(async () => {
    service = await startService({ settings });
    officer = (await service.newKey({ permissions: ['read'], allow: ['erase'] })).secret;
    event = await service.event(await service.location());
  });
  after(async () => {
    await service.stop();
    remove();
  });

  it('is noted by the phone number and the email address that were typed or erased, and nobody else is', async () => {
    const phones = ['+14155550111', '+14155550112', '+14155550113'] as const;
    const mail = { visitor_email_address: 'ida@example.com' };
    const ida = await visit('Ida', { visitor_phone_number: phones[0], ...mail });
    const spouse = await visit('Spouse', { visitor_phone_number: phones[1] });
    const id = await erase({ records: [ida], phone_numbers: [phones[1]] }, [ida]);
    // What the look itself finds is a match.
    await until(async () => (await find(id)).looked === 'everywhere', 60_000);
    assert.deepEqual(await seenOf(id), []);
    const [one, other] = [
      await visit('Ida 2', { visitor_phone_number: phones[0] }),
      await visit('Ida 3', {
        ...{ visitor_phone_number: phones[1], visitor_email_address: 'IDA@example.com' },
      }),
    ];
    await visit('Leo', { visitor_phone_number: phones[2] });
    // Listed among the matches: the officer has seen it, and left it.
    await visit('Spouse', {
      visitor_phone_number: phones[1],
      visitor_relationship_to_deceased: 'spouse',
    });
    const seen = [`${one} phone_number`, `${other} phone_number,email_address`];
    await sees(id, ...seen);
    await look();
    const found = await find(id);
    assert.deepEqual(await seenOf(id), seen.toSorted());
    assert.ok(!JSON.stringify(found.seen_again).includes(spouse));
    assert.equal(found.seen_again_count, 2);
    assert.ok(found.seen_again.every((one: Body) => one.resource === 'event_check_in_record'));
    assert.doesNotMatch(JSON.stringify(found), /ida@|5550111/i);

    const { seen_again } = await ok(`/v1/erasures/${id}/dismiss`, { records: [one] }, officer);
    assert.deepEqual(
      seen_again.map((one: Body) => one.record),
      [other],
    );
    await visit('Ida 2', { visitor_phone_number: phones[0], visitor_full_name: 'Ivy' });
    await look();
    await sees(id, `${other} phone_number,email_address`);
    assert.equal(await service.app.store.seenAgain.count(), 1);

    const again = await erase({ records: [other] }, [other]);
    await sees(id);
    const later = await visit('Ida 4', { visitor_phone_number: phones[1] });
    await sees(again, `${later} phone_number`);
    assert.deepEqual(await seenOf(id), []);
    await ok(`/v1/erasures/${again}/dismiss`, { records: [later] }, officer);
  });

  it('is not looked for if nothing of the person was erased, or all was lifted', async () => {
    const phone = { visitor_phone_number: '+14155550121' };
    const max = await visit('Max', phone);
    const kept = await begin({ records: [max] });
    await run(kept.unique_identifier, [max], { keep: 'current' });
    const lifted = await erase({ records: [max] }, [max]);
    await ok(`/v1/erasures/${lifted}/lift`, { record: max }, officer);
    await visit('Max 2', phone);
    await look();
    for (const id of [kept.unique_identifier, lifted]) assert.deepEqual(await seenOf(id), []);
  });

  it('is noted once, by whichever process follows, and among all records where the store was set back', async () => {
    const { store } = service.app;
    const account = service.account.unique_identifier;
    const phone = { visitor_phone_number: '+14155550131' };
    const mia = await visit('Mia', phone);
    const older = await visit('Mia, before', phone);
    await look();
    const id = await erase({ records: [mia] }, [mia]);
    const newer = await visit('Mia, after', phone);
    await Promise.all([look(), look()]);
    await sees(id, `${newer} phone_number`);
    // As after a restore, which does not say how far was followed: hashes are kept by somebody who did not follow.
    await store.seenAgain.purge(Date.now() + YEARS);
    assert.deepEqual(await store.seenAgain.followed(), []);
    const [hash = ''] = store.seenAgain.hashesOf('phone_number', '14155550131');
    await store.seenAgain.keep(account, [{ erasure: id, hash }], { reached: '', at: Date.now() });
    await Promise.all([look(), look()]);
    await sees(id, `${older} phone_number`, `${newer} phone_number`);
    const [followed] = await store.seenAgain.followed();
    assert.match(followed?.reached ?? '', /^chg_/);
  });

  it('is looked for in several accounts at once, through all of their records', async () => {
    const { store } = service.app;
    const another = await service.another();
    const rows = (name: string, at: string) =>
      Array.from({ length: 250 }, (_, row) => ({
        ...{ event_unique_identifier: at, external_identifier: `${name} ${row}` },
        ...{ visitor_full_name: `${name} ${row}` },
        // The first is the oldest, and looked at last.
        visitor_phone_number: row === 0 ? '+14155550151' : '+14155550152',
      }));
    const many = '/v1/event_check_in_records/upsert_many';
    await ok(many, rows('many', event));
    const there = await another.event(await another.location());
    await ok(many, rows('there', there), another.key);
    const [hash = ''] = store.seenAgain.hashesOf('phone_number', '14155550151');
    const accounts = [service, another].map(({ account }) => account.unique_identifier);
    await store.seenAgain.purge(Date.now() + YEARS);
    for (const [at, account] of accounts.entries()) {
      const kept = [{ erasure: `ers_${at}`, hash }];
      await store.seenAgain.keep(account, kept, { reached: '', at: Date.now() });
    }
    await look();
    const seen = await store.seenAgain.seen(['ers_0', 'ers_1'], 10);
    assert.deepEqual(
      [...seen.values()].map(({ count }) => count),
      [1, 1],
    );
  });

  it('is looked for no longer than 24 months', async () => {
    const { store } = service.app;
    const phone = { visitor_phone_number: '+14155550141' };
    const leo = await visit('Leo', phone);
    const id = await erase({ records: [leo] }, [leo]);
    const later = new SeenAgain(store, resources, () => Date.now() + YEARS);
    await later.purge();
    assert.deepEqual(await store.seenAgain.followed(), []);
    await visit('Leo 2', phone);
    await look();
    assert.deepEqual(await seenOf(id), []);
  });
});
