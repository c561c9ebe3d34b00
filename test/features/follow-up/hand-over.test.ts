/** A follow-up is begun for a colleague or handed over to one: to whoever may work on it and nobody else, until it is due. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ConsoleBrowser, invitation, signedIn } from '../../support/console.ts';
import { pluck } from '../../support/pluck.ts';
import { keyed } from '../../support/secret-key.ts';
import type { Body } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { refused, world } from '../../support/world.ts';

const PATH = '/v1/follow_ups';
const HOUR = 3_600_000;

describe('A follow-up', () => {
  const clock = { now: Date.parse('2027-01-13T15:00:00Z') };
  const on = world({ settings: keyed(), now: () => clock.now }, async ({ read }) => {
    await read(PATH);
  });
  const { service } = on;
  const act = (id: string, verb: string, body: object = {}, headers = {}) =>
    service.json(`${PATH}/${id}/${verb}`, body, { key: on.officer, headers });
  let made = 0;
  /** Each has a number of its own: what is said of one is said of no other. */
  const visitor = async (name: string): Promise<string> => {
    made += 1;
    const visitor_phone_number = `+1420${1_000_000 + made}`;
    return (await on.visit(name, { visitor_phone_number })).unique_identifier;
  };
  const begun = async (name: string, more: object = {}): Promise<Body> =>
    on.ok(PATH, { record: await visitor(name), ...more }, on.officer);
  const timeIn = (hours: number) => new Date(clock.now + hours * HOUR).toISOString();
  const signIn = (email: string, grant: Parameters<typeof signedIn>[2] = {}) =>
    signedIn(service, email, grant, clock.now);
  const idOf = async (email: string): Promise<string> => {
    const found = (await service.app.store.staff.list()).find((one) => one.email === email);
    assert.ok(found, email);
    return found.unique_identifier;
  };

  let ben: ConsoleBrowser;

  it('goes to those who see it and may work on it, and to nobody else', async () => {
    const elsewhere = await service.location('elsewhere');
    const region = async (location: string, name: string) =>
      on.ok(`/v1/locations/${location}/settings`, { region: name }, service.key, 'PATCH');
    await region(on.location, 'North');
    await region(elsewhere, 'South');
    const grants: Readonly<Record<string, Parameters<typeof signedIn>[2]>> = {
      viewer: { role: 'viewer' },
      whole: {},
      here: { anchors: [on.location] },
      there: { anchors: [elsewhere] },
      both: { anchors: [elsewhere, on.location] },
      north: { anchors: [], region: 'North' },
      south: { anchors: [], region: 'South' },
    };
    const browsers = new Map<string, ConsoleBrowser>();
    for (const [name, grant] of Object.entries(grants))
      browsers.set(`${name}@example.com`, await signIn(`${name}@example.com`, grant));
    browsers.set('gone@example.com', await signIn('gone@example.com'));
    await service.app.store.staff.disable(await idOf('gone@example.com'));
    const neighbour = await service.another();
    const accounts = [neighbour.account.unique_identifier];
    browsers.set('other@example.com', await signIn('other@example.com', { accounts }));
    await invitation(service, 'invited@example.com', {}, clock.now);
    const { unique_identifier: id, record } = await begun('For whom');
    const listed = await on.read(`${PATH}/colleagues?record=${record}`);
    const offered = new Set(pluck(listed.colleagues as Body[], 'unique_identifier'));
    assert.ok(offered.size > 0);
    for (const { email, unique_identifier: owner } of await service.app.store.staff.list()) {
      const browser = browsers.get(email);
      const read = await browser?.get(`${PATH}/${id}`);
      const answer = await act(id, 'hand_over', { owner });
      const may = read?.status === 200;
      assert.equal(answer.status, may ? 200 : 400, `${email}: ${answer.text}`);
      assert.equal(offered.has(owner), may, email);
      if (may) assert.deepEqual(pluck([answer.body], 'owner', 'state'), [[owner, 'claimed']]);
      else refused(answer, 400, 'value_invalid', 'owner');
      const made = await service.json(
        PATH,
        { record: await visitor(`for ${email}`), owner },
        { key: on.officer },
      );
      assert.equal(made.status, answer.status, made.text);
      if (may) assert.equal(made.body.owner, owner);
    }
    for (const owner of ['', 'me', 'key_1', 'stf_036Vq1rXbU9kTqPpLw3aZc'])
      refused(await act(id, 'hand_over', { owner }), 400);
  });

  it('that is handed over is that of the colleague, once by a repeated request', async () => {
    ben = await signIn('ben@example.com');
    const owner = await idOf('ben@example.com');
    const { unique_identifier: id } = await begun('Handed');
    const key = { 'Idempotency-Key': 'handed-over' };
    const sent = { owner, due_at: timeIn(5), note: 'knows the family' };
    const { body, text, status } = await act(id, 'hand_over', sent, key);
    assert.equal(status, 200, text);
    assert.deepEqual(pluck([body], 'owner', 'note', 'due_at'), [
      [owner, 'knows the family', '2027-01-13T20:00:00Z'],
    ]);
    assert.equal((await act(id, 'hand_over', sent, key)).body.version, body.version, 'once');
    const mine = await ben.get(`${PATH}?owner=me`);
    assert.deepEqual(pluck(mine.body.data, 'unique_identifier'), [id]);
    refused(await act(id, 'claim'), 409, 'follow_up_claimed');
    // As with what is left to others, whoever may do so takes it from one who is away.
    const back = await ben.post(`${PATH}/${id}/attempt`, { channel: 'call', outcome: 'no_answer' });
    assert.equal(back.status, 200, back.text);
    assert.equal((await act(id, 'release')).body.owner, null);
    await act(id, 'close', { outcome: 'done' });
    refused(await act(id, 'hand_over', { owner }), 409, 'follow_up_closed');
  });

  it('of one whom nobody is to contact is handed over to nobody', async () => {
    const { unique_identifier: id, record } = await begun('Said no');
    await on.ok('/v1/do_not_contact', { record }, on.officer);
    const owner = await idOf('ben@example.com');
    refused(await act(id, 'hand_over', { owner }), 409, 'do_not_contact');
    const sent = { record, owner };
    refused(await service.json(PATH, sent, { key: on.officer }), 409, 'do_not_contact');
  });

  it('stays with the colleague until it is due, over days in which nothing is done', async () => {
    const owner = await idOf('ben@example.com');
    const due_at = timeIn(70);
    const [given, handed, soon, own] = await Promise.all([
      begun('Given', { owner, due_at }),
      begun('Handed over'),
      begun('Due soon', { owner, due_at: timeIn(1) }),
      begun('Own', { due_at }),
    ]);
    await act(handed.unique_identifier, 'hand_over', { owner, due_at });
    const tried = await ben.post(`${PATH}/${handed.unique_identifier}/attempt`, {
      ...{ channel: 'call', outcome: 'no_answer' },
    });
    assert.equal(tried.body.claim_ends_at, '2027-01-16T13:00:00Z', 'and no sooner');
    const ownerOf = async ({ unique_identifier: id }: Body) =>
      (await on.read(`${PATH}/${id}`)).owner;
    clock.now += 25 * HOUR;
    await until(async () => (await ownerOf(soon)) === null && (await ownerOf(own)) === null);
    assert.deepEqual([await ownerOf(given), await ownerOf(handed)], [owner, owner]);
    clock.now += 46 * HOUR;
    await until(async () => (await ownerOf(given)) === null && (await ownerOf(handed)) === null);
  });
});
