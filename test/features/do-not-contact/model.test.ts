/** Records, the register, follow-ups, erasures, ages and keys, in any order: nobody is workable who is in the register, and an entry goes by lifting alone. */
// needs: both stores with --all, long
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { it } from 'node:test';
import fc from 'fast-check';
import { ALL } from '../../support/all.ts';
import { keyed } from '../../support/secret-key.ts';
import type { Body } from '../../support/service.ts';
import { serviceGround } from '../../support/service-ground.ts';
import { world } from '../../support/world.ts';

const RUNS = ALL ? 60 : 5;
const VISITS = '/v1/event_check_in_records';
const FOLLOW_UPS = '/v1/follow_ups';
const REGISTER = '/v1/do_not_contact';
const RESOURCE = 'event_check_in_record';
const DOES = [
  ...([
    'visit',
    'visit',
    'begin',
    'begin',
    'no',
    'later',
    'claim',
    'enter',
    'enterRecord',
  ] as const),
  ...(['lift', 'reopen', 'edit', 'remove', 'restore', 'erase', 'age', 'rekey'] as const),
];
type Does = (typeof DOES)[number];

/** A record, as plain code knows it. */
interface Known {
  readonly id: string;
  number: number;
  is: 'there' | 'removed' | 'gone';
  followUp: string;
  isOpen: boolean;
  /** Whether it was said of the record itself, and that its follow-up said so. */
  isNo: boolean;
}

const settings = keyed();
const on = world({ settings, store: serviceGround }, async ({ read }) => {
  await read(FOLLOW_UPS);
});
const post = (path: string, body: object) => on.service.json(path, body, { key: on.officer });

let run = 0;
let made = 0;

async function walk(steps: readonly (readonly [at: number, number: number, does: Does])[]) {
  run += 1;
  const numbers = [0, 1, 2].map((at) => `+1418${String(1_000_000 + run * 3 + at)}`);
  const numberAt = (at: number) => String(numbers[at]);
  const records: Known[] = [];
  /** Numbers in the register, each with the follow-up that has said so last. */
  const said = new Map<number, string>();
  const done: string[] = [];
  const isNo = (one: Known) => one.isNo || said.has(one.number);

  const does: Readonly<Record<Does, (one: Known | undefined, number: number) => Promise<unknown>>> =
    {
      async visit(_, number) {
        made += 1;
        const sent = { visitor_phone_number: numberAt(number) };
        const { unique_identifier: id } = await on.visit(`Model ${made}`, sent);
        records.push({ id, number, is: 'there', followUp: '', isOpen: false, isNo: false });
      },
      async begin(one) {
        if (one?.is !== 'there') return;
        const { status, body } = await post(FOLLOW_UPS, { record: one.id });
        const wanted = isNo(one) ? 'do_not_contact' : one.isOpen ? 'follow_up_open' : undefined;
        assert.equal(body.error?.code, wanted, `${status} ${done}`);
        if (status === 200) Object.assign(one, { followUp: body.unique_identifier, isOpen: true });
      },
      no: (one) => closed(one, { outcome: 'do_not_contact' }),
      later: (one) => closed(one, { outcome: 'done' }),
      async claim(one) {
        if (one?.is !== 'there' || !one.isOpen) return;
        const { body } = await post(`${FOLLOW_UPS}/${one.followUp}/claim`, {});
        assert.equal(body.error?.code, isNo(one) ? 'do_not_contact' : undefined, String(done));
      },
      async enter(_, number) {
        const { status, text } = await post(REGISTER, { phone_number: numberAt(number) });
        assert.equal(status, 200, text);
        said.set(number, '');
      },
      async enterRecord(one) {
        if (one?.is !== 'there') return;
        assert.equal((await post(REGISTER, { record: one.id })).status, 200);
        one.isNo = true;
        said.set(one.number, '');
      },
      async lift(_, number) {
        const [entry] = await entriesOf(number);
        if (entry === undefined) return;
        const { text, status } = await post(`${REGISTER}/${entry.unique_identifier}/lift`, {
          reason: 'x',
        });
        assert.equal(status, 200, text);
        // A hash says no more of which number it is: what else has it stays until that is lifted, too.
        if (entry.value !== null)
          for (const other of records)
            if (other.number === number && other.is === 'there') other.isNo = false;
        for (const more of await entriesOf(number))
          await post(`${REGISTER}/${more.unique_identifier}/lift`, { reason: 'x' });
        for (const other of records)
          if (other.number === number && other.is === 'there') {
            const { do_not_contact } = await recordOf(other);
            if (do_not_contact) assert.ok(other.isNo, String(done));
          }
        said.delete(number);
      },
      async reopen(one) {
        if (one?.is !== 'there' || one.followUp === '' || one.isOpen) return;
        const { body } = await post(`${FOLLOW_UPS}/${one.followUp}/reopen`, { reason: 'again' });
        const own = (said.get(one.number) ?? one.followUp) === one.followUp;
        if (body.error !== undefined) {
          assert.ok(
            isNo(one) && body.error.code === 'do_not_contact',
            `${body.error.code} ${done}`,
          );
          return;
        }
        assert.ok(own, `another one says so, too: ${done}`);
        if (said.get(one.number) === one.followUp) said.delete(one.number);
        Object.assign(one, { isOpen: true, isNo: false });
      },
      async edit(one, number) {
        if (one?.is !== 'there') return;
        const sent = { visitor_phone_number: numberAt(number) };
        await on.ok(`${VISITS}/${one.id}`, sent, on.service.key, 'PATCH');
        one.number = number;
      },
      async remove(one) {
        if (one?.is !== 'there') return;
        await on.service.send('DELETE', `${VISITS}/${one.id}`);
        one.is = 'removed';
      },
      async restore(one) {
        if (one?.is !== 'removed') return;
        const { status } = await on.service.send('POST', `${VISITS}/${one.id}/restore`);
        if (status === 200) one.is = 'there';
      },
      async erase(one) {
        if (one?.is !== 'there') return;
        await on.erase(one.id);
        one.is = 'gone';
      },
      async age(one) {
        if (one?.is !== 'there') return;
        const of = { account: on.account, resource: RESOURCE, record: one.id, by: 'key_1' };
        const request = { ...of, erasure: 'rtr_1', aged: 'unmarked' } as const;
        assert.deepEqual(await on.service.app.store.erasing.erase([request]), ['erased']);
        one.is = 'gone';
      },
      async rekey() {
        const keys = readFileSync(settings.secret_key_file, 'utf8');
        const added = `${randomBytes(32).toString('base64')}\n${keys}`;
        await on.restart(() => writeFileSync(settings.secret_key_file, added));
      },
    };

  async function closed(one: Known | undefined, body: { readonly outcome: string }): Promise<void> {
    if (one?.is !== 'there' || !one.isOpen) return;
    const { status, body: answer } = await post(`${FOLLOW_UPS}/${one.followUp}/close`, body);
    assert.equal(answer.error?.code, isNo(one) ? 'do_not_contact' : undefined, String(done));
    if (status !== 200) return;
    one.isOpen = false;
    if (body.outcome !== 'do_not_contact') return;
    one.isNo = true;
    said.set(one.number, one.followUp);
  }

  const entriesOf = async (number: number): Promise<readonly Body[]> =>
    (await on.read(`${REGISTER}?phone_number=${encodeURIComponent(numberAt(number))}`)).data;
  const recordOf = ({ id }: Known): Promise<Body> =>
    on.read(`${VISITS}/${id}?expand[]=do_not_contact`);

  for (const [at, number, what] of steps) {
    done.push(`${at} ${number} ${what}`);
    await does[what](records[at % Math.max(records.length, 1)], number);
    for (const one of [0, 1, 2])
      assert.equal((await entriesOf(one)).length > 0, said.has(one), `${one}: ${done}`);
    const { data } = await on.read(`${FOLLOW_UPS}?state=unfinished&limit=1000`);
    const workable = new Set(data.map(({ record }: Body) => record));
    for (const one of records.filter(({ is }) => is === 'there')) {
      assert.equal((await recordOf(one)).do_not_contact, isNo(one), String(done));
      if (isNo(one)) assert.ok(!workable.has(one.id), `workable: ${done}`);
      else if (one.isOpen) assert.ok(workable.has(one.id), `not workable: ${done}`);
    }
    const { data: left } = await on.read(`${VISITS}?do_not_contact=false&limit=1000`);
    const ids = new Set(left.map(({ unique_identifier: id }: Body) => id));
    for (const one of records) assert.equal(ids.has(one.id), one.is === 'there' && !isNo(one));
  }
}

it('nobody is workable who is in the register, whatever becomes of records and keys', async () => {
  const step = fc.tuple(fc.nat(5), fc.nat(2), fc.constantFrom(...DOES));
  const steps = fc.array(step, { minLength: 8, maxLength: 30 });
  await fc.assert(fc.asyncProperty(steps, walk), {
    numRuns: RUNS,
    endOnFailure: true,
    interruptAfterTimeLimit: ALL ? 240_000 : 60_000,
  });
});
