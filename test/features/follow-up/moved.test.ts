/** A walk through follow-ups gives each that kept its place once, whatever others are given another day meanwhile or are gone: also the one at which a page has ended. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { signedIn } from '../../support/console.ts';
import { pluck } from '../../support/pluck.ts';
import { keyed } from '../../support/secret-key.ts';
import type { Body } from '../../support/service.ts';
import { refused, world } from '../../support/world.ts';

const PATH = '/v1/follow_ups';
const SOME = 12;
const HOUR = 3_600_000;

/** What is done between two pages: to the last one of the page, or to another one. */
interface Meanwhile {
  readonly at: number | 'last';
  readonly does: 'later' | 'sooner' | 'gone';
}

describe('A walk through follow-ups', () => {
  let owner = '';
  const on = world({ settings: keyed() }, async ({ service, read }) => {
    await read(PATH);
    await signedIn(service, 'ada@example.com');
    owner = (await service.app.store.staff.list())[0]?.unique_identifier ?? '';
  });
  const dueIn = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
  let made = 0;
  const begun = async (hours: number): Promise<Body> => {
    made += 1;
    const visitor_phone_number = `+1429${1_000_000 + made}`;
    const { unique_identifier: record } = await on.visit(`Walked ${made}`, {
      visitor_phone_number,
    });
    return on.ok(PATH, { record, due_at: dueIn(hours) }, on.officer);
  };

  it('gives each that kept its place once', async () => {
    const at = fc.oneof(fc.constant('last' as const), fc.nat(SOME - 1));
    const does = fc.constantFrom('later' as const, 'sooner' as const, 'gone' as const);
    const acts = fc.array(fc.record({ at, does }), { maxLength: 2 });
    const property = fc.asyncProperty(
      fc.array(acts, { minLength: SOME, maxLength: SOME }),
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      async (rounds, limit, isJudged) => {
        const mine = `&opened_since=${encodeURIComponent(new Date(Date.now()).toISOString())}`;
        const all: Body[] = [];
        for (let hour = 1; hour <= SOME; hour += 1) all.push(await begun(10 * hour));
        const ids = pluck(all, 'unique_identifier').flat() as string[];
        const no = { account: on.account, phone_number: '+14155550199' };
        const entry = isJudged ? await on.ok('/v1/do_not_contact', no, on.officer) : undefined;
        const moved = new Set<string>();
        const seen: string[] = [];
        for (let after = '', isMore = true, round = 0; isMore; round += 1) {
          assert.ok(round < 4 * SOME, 'it ends');
          const page = await on.read(`${PATH}?state=unfinished&limit=${limit}${mine}${after}`);
          const last: Body | undefined = page.data.at(-1);
          seen.push(...page.data.map((one: Body) => one.unique_identifier));
          for (const one of rounds[round] ?? ([] as readonly Meanwhile[])) {
            const id = one.at === 'last' ? last?.unique_identifier : ids[one.at];
            if (id === undefined || !ids.includes(id)) continue;
            moved.add(id);
            const record = all.find(({ unique_identifier }) => unique_identifier === id)?.record;
            if (one.does === 'gone')
              await on.service.send('DELETE', `/v1/event_check_in_records/${record}`);
            else {
              const due_at = dueIn(one.does === 'later' ? 10 * SOME + round + 1 : 1 + round / 60);
              const sent = { owner, due_at };
              const key = on.officer;
              await on.service.json(`${PATH}/${id}/hand_over`, sent, { key });
            }
          }
          isMore = page.has_more;
          after = `&starting_after=${encodeURIComponent(last?.cursor ?? '')}`;
        }
        for (const id of ids.filter((one) => !moved.has(one)))
          assert.equal(seen.filter((one) => one === id).length, 1, id);
        if (entry) {
          const lift = `/v1/do_not_contact/${entry.unique_identifier}/lift`;
          await on.ok(lift, { reason: 'over' }, on.officer);
        }
        for (const { record } of all)
          await on.service.send('DELETE', `/v1/event_check_in_records/${record}`);
      },
    );
    await fc.assert(property, { numRuns: 15, interruptAfterTimeLimit: 60_000 });
  });

  it('goes on after a unique_identifier, too, and refuses what is neither', async () => {
    const [first, second] = [await begun(500), await begun(501)];
    const after = await on.read(`${PATH}?starting_after=${first.unique_identifier}`);
    assert.deepEqual(pluck(after.data, 'unique_identifier').flat(), [second.unique_identifier]);
    for (const wrong of ['fup_1', `${first.unique_identifier}.`, `${first.cursor}x`, '.5']) {
      const answer = await on.service.get(`${PATH}?starting_after=${wrong}`, { key: on.officer });
      refused(answer, 400, 'value_invalid', 'starting_after');
    }
  });
});
