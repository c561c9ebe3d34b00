/** Whom nobody is to contact is workable for nobody: whatever was begun, put off, reopened or said at the same time, as a page of plain code says. */
// needs: both stores with --all, long
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ALL } from '../../support/all.ts';
import { pluck } from '../../support/pluck.ts';
import { keyed } from '../../support/secret-key.ts';
import type { Body } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';
import { world } from '../../support/world.ts';

const PATH = '/v1/follow_ups';
const RUNS = ALL ? 100 : 8;
const HOUR = 3_600_000;
const ACTS = ['claim', 'attempt', 'schedule', 'done', 'no', 'later', 'reopen', 'release'] as const;
const DOES = [...ACTS, 'begin', 'begin', 'wait', 'both'] as const;
type Does = (typeof DOES)[number];

/** The latest follow-up of a visitor, as plain code knows it. */
interface Known {
  readonly number: string;
  record: string;
  id: string;
  isOpen: boolean;
  saysNo: boolean;
  isPutOff: boolean;
}

const clock = { now: Date.parse('2027-01-13T15:00:00Z') };
const on = world({ settings: keyed(), now: () => clock.now }, async ({ read }) => {
  await read(PATH);
});
const list = async (query: string): Promise<readonly Body[]> =>
  (await on.read(`${PATH}?limit=1000${query}`)).data;
const timeIn = (hours: number) => new Date(clock.now + hours * HOUR).toISOString();

/** What is counted is what is listed. Meanwhile one that was put off may be opened. */
async function countsAgree(why: string): Promise<void> {
  const both = async () => {
    const listed = await list('&state=unfinished');
    const { counts } = await on.read(`${PATH}/counts`);
    const groups = Map.groupBy(listed, ({ location, reason }) => `${location} ${reason}`);
    const isOverdue = ({ due_at }: Body) => Date.parse(due_at) < clock.now;
    const wanted = [...groups].map(([name, some]) => {
      return [name, some.length, some.filter(isOverdue).length];
    });
    const found = counts.map(({ location, reason, open, overdue }: Body) => {
      return [`${location} ${reason}`, open, overdue];
    });
    return [JSON.stringify(found), JSON.stringify(wanted.toSorted())];
  };
  const isSame = async () => {
    const [found, wanted] = await both();
    return found === wanted;
  };
  await until(isSame).catch(async () => assert.fail(`${why}: ${await both()}`));
}

/** The path and the body of an act. */
function requestOf(does: (typeof ACTS)[number]): readonly [verb: string, body: object] {
  if (does === 'done') return ['close', { outcome: 'done' }];
  if (does === 'no') return ['close', { outcome: 'do_not_contact' }];
  if (does === 'later') return ['close', { outcome: 'not_now', next_at: timeIn(1) }];
  if (does === 'attempt') return [does, { channel: 'call', outcome: 'no_answer' }];
  if (does === 'schedule') return [does, { next_at: timeIn(5) }];
  return [does, does === 'reopen' ? { reason: 'again' } : {}];
}

describe('Whom nobody is to contact', () => {
  const post = (path: string, body: object) => on.service.json(path, body, { key: on.officer });
  let made = 0;
  const visitorOf = async (number: string): Promise<Known> => {
    made += 1;
    const more = { visitor_phone_number: number };
    const { unique_identifier: record } = await on.visit(`Visitor ${made}`, more);
    return { number, record, id: '', isOpen: false, saysNo: false, isPutOff: false };
  };
  const begun = async (one: Known): Promise<Known> => {
    const { body, status, text } = await post(PATH, { record: one.record });
    assert.equal(status, 200, text);
    return Object.assign(one, { id: body.unique_identifier, isOpen: true });
  };

  it('is not shown as workable, and nothing is done about them, until that is lifted', async () => {
    let run = 0;
    const steps = fc.array(fc.tuple(fc.nat(4), fc.nat(4), fc.constantFrom(...DOES)), {
      minLength: 6,
      maxLength: 30,
    });
    const property = fc.asyncProperty(steps, async (all) => {
      run += 1;
      const numbers = [0, 1].map((at) => `+1415${String(1_000_000 + run * 2 + at)}`);
      const ones = await Promise.all([0, 0, 0, 1, 1].map((at) => visitorOf(String(numbers[at]))));
      const done: string[] = [];
      const isNo = ({ number }: Known) => ones.some((one) => one.number === number && one.saysNo);

      const refusalOf = (one: Known, does: Does): string | undefined => {
        if (does === 'begin') {
          if (isNo(one)) return 'do_not_contact';
          return one.isOpen ? 'follow_up_open' : undefined;
        }
        if (does === 'reopen') {
          if (isNo(one) && !one.saysNo) return 'do_not_contact';
          return one.isOpen ? 'follow_up_open' : undefined;
        }
        if (!one.isOpen) return 'follow_up_closed';
        return isNo(one) ? 'do_not_contact' : undefined;
      };

      const act = async (one: Known, does: Exclude<Does, 'wait' | 'both'>): Promise<void> => {
        if (one.id === '' && does !== 'begin') return;
        const refusal = refusalOf(one, does);
        const [verb, sent] = does === 'begin' ? ['', { record: one.record }] : requestOf(does);
        const path = does === 'begin' ? PATH : `${PATH}/${one.id}/${verb}`;
        const { status, body } = await post(path, sent);
        assert.equal(body.error?.code, refusal, `${does} ${status}: ${done}`);
        if (refusal !== undefined) return;
        if (does === 'begin')
          Object.assign(one, { id: body.unique_identifier, isPutOff: false, saysNo: false });
        if (does === 'begin' || does === 'reopen')
          Object.assign(one, { isOpen: true, saysNo: false, isPutOff: false });
        if (verb === 'close')
          Object.assign(one, {
            ...{ isOpen: false, saysNo: does === 'no', isPutOff: does === 'later' },
          });
      };

      /** At the same time one says no, and another one of the person is begun: in either order it is not workable. */
      const both = async (one: Known, other: Known): Promise<void> => {
        if (one.number !== other.number || one === other) return;
        if (!one.isOpen || other.isOpen || isNo(one)) return;
        const [closed, answer] = await Promise.all([
          post(`${PATH}/${one.id}/close`, { outcome: 'do_not_contact' }),
          post(PATH, { record: other.record }),
        ]);
        assert.equal(closed.status, 200, closed.text);
        Object.assign(one, { isOpen: false, saysNo: true });
        if (answer.status === 200)
          Object.assign(other, { id: answer.body.unique_identifier, isOpen: true, saysNo: false });
        else assert.equal(answer.body.error.code, 'do_not_contact');
        other.isPutOff &&= answer.status !== 200;
      };

      /** What was put off is opened, as it is stored. */
      const wait = async (): Promise<void> => {
        clock.now += 2 * HOUR;
        for (const one of ones.filter(({ isPutOff }) => isPutOff)) {
          const { followUp: book } = on.service.app.store;
          await until(async () => (await book.find(one.id))?.state !== 'closed');
          Object.assign(one, { isOpen: true, isPutOff: false });
        }
      };

      const agree = async (): Promise<void> => {
        const ids = (some: readonly Body[]) =>
          some.flatMap(({ unique_identifier: id }) =>
            ones.some((one) => one.id === id) ? id : [],
          );
        const known = ones.filter(({ id }) => id !== '');
        const workable = known.filter((one) => one.isOpen && !isNo(one)).map(({ id }) => id);
        const [unfinished, closed] = await Promise.all(
          ['unfinished', 'closed'].map((state) => list(`&state=${state}`)),
        );
        assert.deepEqual(ids(unfinished ?? []).toSorted(), workable.toSorted(), String(done));
        await countsAgree(String(done));
        for (const { id } of known) {
          const { state, owner, next_at } = await on.read(`${PATH}/${id}`);
          assert.equal(state !== 'closed', workable.includes(id), `${done}`);
          assert.equal(ids(closed ?? []).includes(id), state === 'closed', `${done}`);
          if (state === 'closed') assert.equal(owner, null);
          assert.ok(state !== 'scheduled' || next_at !== null);
        }
      };

      for (const [at, beside, does] of all) {
        const [one, other] = [ones[at] as Known, ones[beside] as Known];
        done.push(`${at} ${beside} ${does}`);
        if (does === 'wait') await wait();
        else if (does === 'both') await both(one, other);
        else await act(one, does);
        await agree();
      }
    });
    await fc.assert(property, {
      numRuns: RUNS,
      endOnFailure: true,
      interruptAfterTimeLimit: ALL ? 240_000 : 60_000,
    });
  });

  it('is one answer for who begins at the same time', async () => {
    for (let at = 0; at < 20; at += 1) {
      const number = `+1416${String(1_000_000 + at)}`;
      const [one, other] = [await begun(await visitorOf(number)), await visitorOf(number)];
      const [, answer] = await Promise.all([
        post(`${PATH}/${one.id}/close`, { outcome: 'do_not_contact' }),
        post(PATH, { record: other.record }),
      ]);
      const open = await list(`&state=unfinished&record=${other.record}`);
      assert.deepEqual(open, [], `${at}: ${answer.status}`);
    }
  });

  it('is told to nobody as workable', async () => {
    const receiver = await startReceiver();
    const { secret } = await on.service.newKey({ allow: ['webhooks', 'follow_up'] });
    const [one, other] = [
      await begun(await visitorOf('+14175550101')),
      await begun(await visitorOf('+14175550101')),
    ];
    const later = { outcome: 'not_now', next_at: timeIn(1) };
    assert.equal((await post(`${PATH}/${other.id}/close`, later)).status, 200);
    const no = { outcome: 'do_not_contact' };
    assert.equal((await post(`${PATH}/${one.id}/close`, no)).status, 200);
    const notifications = ['follow_up.changed'];
    await on.ok('/v1/webhook_endpoints', { url: receiver.url, notifications }, secret);
    clock.now += 2 * HOUR;
    const told = () =>
      receiver.received.filter(({ body }) => body.data.unique_identifier === other.id);
    await until(() => told().length > 0);
    assert.deepEqual(
      pluck(
        told().map(({ body }) => body.data),
        'state',
        'outcome',
        'owner',
      ),
      [['closed', 'do_not_contact', null]],
    );
  });

  it('is nobody else who has the same filler for a number or an address', async () => {
    const fillers = ['none', 'N/A', 'unknown@example.com', 'noemail@noemail.com'];
    const all = await Promise.all(
      [...fillers, ...fillers].map(async (visitor_email_address, at) => {
        const more = { visitor_email_address, visitor_phone_number: '+15555555555' };
        const { unique_identifier: record } = await on.visit(`Filler ${at}`, more);
        return (await on.ok(PATH, { record }, on.officer)).unique_identifier as string;
      }),
    );
    for (const id of all.slice(0, 4))
      assert.equal((await post(`${PATH}/${id}/close`, { outcome: 'do_not_contact' })).status, 200);
    for (const [at, id] of all.entries())
      assert.equal((await on.read(`${PATH}/${id}`)).state, at < 4 ? 'closed' : 'claimed');
  });
});
