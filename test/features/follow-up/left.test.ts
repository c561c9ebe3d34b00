/** What is held for somebody who may not work on it any more is free for others at once, whatever took that from them, and only that. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KeyChange } from '../../../src/store/promises/keys.ts';
import { invitation, signedIn } from '../../support/console.ts';
import { keyed } from '../../support/secret-key.ts';
import type { Body } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { refused, world } from '../../support/world.ts';

const PATH = '/v1/follow_ups';
const HOUR = 3_600_000;

type Unnamed<One> = One extends unknown ? Omit<One, 'unique_identifier'> : never;
type Change = Unnamed<KeyChange>;

describe('What is held for somebody who has left', () => {
  const clock = { now: Date.parse('2027-01-13T15:00:00Z') };
  const on = world({ settings: keyed(), now: () => clock.now }, async ({ read }) => {
    await read(PATH);
  });
  const { service } = on;
  let made = 0;
  const begun = async (owner?: string): Promise<Body> => {
    made += 1;
    const visitor_phone_number = `+1426${1_000_000 + made}`;
    const { unique_identifier: record } = await on.visit(`Held ${made}`, { visitor_phone_number });
    const due_at = new Date(clock.now + 90 * HOUR).toISOString();
    return on.ok(PATH, { record, due_at, ...(owner && { owner }) }, on.officer);
  };
  const act = (id: string, verb: string, body: object = {}, key = on.officer) =>
    service.json(`${PATH}/${id}/${verb}`, body, { key });
  const region = (name: string) =>
    on.ok(`/v1/locations/${on.location}/settings`, { region: name }, service.key, 'PATCH');
  const people = () => service.app.store.staff;
  const idOf = async (email: string): Promise<string> => {
    const found = (await people().list()).find((one) => one.email === email);
    assert.ok(found, email);
    return found.unique_identifier;
  };
  const granted = async (id: string, more: object): Promise<void> => {
    const accounts = [on.account];
    const grant = { role: 'editor', accounts, anchors: null, region: null, allow: [], ...more };
    await people().grant(id, grant as Parameters<ReturnType<typeof people>['grant']>[1], false);
  };

  /** By what a person may not work on it any more, and what that is. */
  const left: Readonly<Record<string, (id: string, look: () => Promise<unknown>) => unknown>> = {
    'is disabled': (id) => people().disable(id),
    'is removed': (id) => people().remove(id),
    'is a viewer': (id) => granted(id, { role: 'viewer' }),
    'works at another location': async (id) =>
      granted(id, { anchors: [await service.location('elsewhere')] }),
    'works in another region': (id) => granted(id, { anchors: [], region: 'South' }),
    'works in a region that the location has left': async (id, look) => {
      await region('North');
      await granted(id, { anchors: [], region: 'North' });
      // What was found of a region a moment before does not count.
      await look();
      await region('West');
    },
    'works for another account': async (id) =>
      granted(id, { accounts: [(await service.another()).account.unique_identifier] }),
  };

  for (const [why, leave] of Object.entries(left))
    it(`is free for others when that person ${why}`, async () => {
      const email = `${why.replaceAll(' ', '-')}@example.com`;
      await signedIn(service, email, {}, clock.now);
      const holder = await idOf(email);
      const [first, second, put] = [await begun(holder), await begun(holder), await begun(holder)];
      const later = { next_at: new Date(clock.now + HOUR).toISOString() };
      await act(put.unique_identifier, 'release');
      await act(put.unique_identifier, 'schedule', later);
      await act(put.unique_identifier, 'hand_over', { owner: holder });
      const look = async () =>
        refused(await act(first.unique_identifier, 'claim'), 409, 'follow_up_claimed');
      await look();
      await leave(holder, look);
      const taken = await act(first.unique_identifier, 'claim');
      assert.equal(taken.status, 200, taken.text);
      const found = async ({ unique_identifier: id }: Body) => {
        const { owner, state, claim_ends_at } = await on.read(`${PATH}/${id}`);
        return [owner, state, claim_ends_at];
      };
      await until(async () => (await found(second))[0] === null);
      assert.deepEqual(await found(second), [null, 'open', null]);
      await until(async () => (await found(put))[0] === null);
      assert.deepEqual(await found(put), [null, 'scheduled', null]);
      const [owner] = await found(first);
      assert.equal(owner, taken.body.owner, 'what somebody else has since is theirs');
    });

  it('is still held for who may work on it', async () => {
    await signedIn(service, 'stays@example.com', { anchors: [on.location] }, clock.now);
    await signedIn(service, 'goes@example.com', {}, clock.now);
    const [stays, goes] = [await idOf('stays@example.com'), await idOf('goes@example.com')];
    const [kept, freed] = [await begun(stays), await begun(goes)];
    await people().disable(goes);
    await until(async () => (await on.read(`${PATH}/${freed.unique_identifier}`)).owner === null);
    refused(await act(kept.unique_identifier, 'claim'), 409, 'follow_up_claimed');
    // Who has lost a passkey comes back.
    await invitation(service, 'stays@example.com', { anchors: [on.location] }, clock.now);
    refused(await act(kept.unique_identifier, 'claim'), 409, 'follow_up_claimed');
  });

  const ends: Readonly<Record<string, Change>> = {
    revoked: { does: 'revoke' },
    suspended: { does: 'suspend' },
    expired: { does: 'expire', at: clock.now },
    'given other rights': { does: 'grant', permissions: ['read'], allow: [] },
    'given no reading': { does: 'grant', permissions: ['write'], allow: ['follow_up'] },
  };
  for (const [why, change] of Object.entries(ends))
    it(`is free for others when a key is ${why}`, async () => {
      const { key, secret } = await service.newKey({ allow: ['follow_up'] });
      const [first, second] = [await begun(), await begun()];
      for (const { unique_identifier: id } of [first, second]) {
        assert.equal((await act(id, 'release')).status, 200);
        assert.equal((await act(id, 'claim', {}, secret)).status, 200);
      }
      const { unique_identifier } = key;
      await service.app.store.keys.changeAll([{ unique_identifier, ...change } as KeyChange]);
      const tried = { channel: 'call', outcome: 'reached' };
      const taken = await act(first.unique_identifier, 'attempt', tried);
      assert.equal(taken.status, 200, taken.text);
      const ownerOf = async () => (await on.read(`${PATH}/${second.unique_identifier}`)).owner;
      await until(async () => (await ownerOf()) === null);
    });
});
