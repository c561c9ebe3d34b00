/** `kill -9` after every statement that enters somebody whom nobody is to contact, or lifts them, and of a start that enters what version 1.0 has left: all of it is done, or nothing, and then at the next start. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { type KillGround, killedAtEachStep, VISITORS } from '../support/killed-steps.ts';
import { leftBy, marksBy } from '../support/left-marks.ts';

const FOLLOW_UPS = '/v1/follow_ups';
/** Each step has a person of its own. */
let made = 0;
const REGISTER = '/v1/do_not_contact';
const newNumber = (): string => {
  made += 1;
  return `+1419${1_000_000 + made}`;
};

async function visit({ ok, funeral, guest }: KillGround, visitor_phone_number: string) {
  const sent = { ...guest(await funeral(), `guest of ${visitor_phone_number}`) };
  return (await ok(`${VISITORS}/upsert`, { ...sent, visitor_phone_number })).unique_identifier;
}

/** What the register has of a person: how many entries by the number, and whether their record says so. */
async function found({ ok, allowed }: KillGround, number: string, record: string) {
  const query = `?phone_number=${encodeURIComponent(number)}`;
  const { data } = await ok(`${REGISTER}${query}`, undefined, allowed.do_not_contact);
  const { do_not_contact } = await ok(`${VISITORS}/${record}?expand[]=do_not_contact`);
  return { entries: data, count: data.length, isNo: do_not_contact };
}

for (const verb of ['close', 'reopen'] as const)
  await killedAtEachStep(
    `A follow-up that says that nobody is to contact a person, ${verb === 'close' ? 'closed' : 'reopened'}`,
    ['follow_up', 'do_not_contact'],
    async ({ allowed, ok, funeral, guest }) => {
      const key = allowed.follow_up;
      const visitor_phone_number = newNumber();
      const sent = { ...guest(await funeral(), `guest ${made}`), visitor_phone_number };
      const { unique_identifier: record } = await ok(`${VISITORS}/upsert`, sent);
      const begun = await ok(FOLLOW_UPS, { record }, key);
      const path = `${FOLLOW_UPS}/${begun.unique_identifier}`;
      const close = () => ok(`${path}/close`, { outcome: 'do_not_contact' }, key);
      const reopen = () => ok(`${path}/reopen`, { reason: 'again' }, key);
      if (verb === 'reopen') await close();
      const isNo = async (): Promise<boolean> =>
        (await ok(`${VISITORS}/${record}?expand[]=do_not_contact`)).do_not_contact;
      return {
        act: verb === 'close' ? close : reopen,
        async check() {
          const { state, outcome } = await ok(path, undefined, key);
          const entries = await ok(
            `/v1/do_not_contact?record=${record}`,
            undefined,
            allowed.do_not_contact,
          );
          const isClosed = state === 'closed';
          assert.equal(await isNo(), isClosed);
          assert.equal(entries.data.length > 0, isClosed);
          assert.equal(outcome, isClosed ? 'do_not_contact' : null);
          if (verb === 'close' && !isClosed) await close();
          if (verb === 'reopen' && isClosed) await reopen();
          assert.equal(await isNo(), verb === 'close');
        },
      };
    },
  );

for (const by of ['record', 'list'] as const)
  await killedAtEachStep(
    `Somebody whom nobody is to contact, entered by a ${by}`,
    ['do_not_contact'],
    async (ground) => {
      const { ok, account, allowed } = ground;
      const numbers = by === 'record' ? [newNumber()] : [newNumber(), newNumber(), newNumber()];
      const records: string[] = [];
      for (const number of numbers) records.push(await visit(ground, number));
      const enter = () => {
        const [record] = records;
        const entries = numbers.map((phone_number) => ({ phone_number }));
        return by === 'record'
          ? ok(REGISTER, { record }, allowed.do_not_contact)
          : ok(`${REGISTER}/add_many`, { account, entries }, allowed.do_not_contact);
      };
      const now = () =>
        Promise.all(numbers.map((number, at) => found(ground, number, String(records[at]))));
      return {
        act: enter,
        async check() {
          const before = await now();
          const [first] = before;
          for (const one of before)
            assert.deepEqual([one.count, one.isNo], [first?.count, one.count > 0], 'all or none');
          await enter();
          for (const one of await now()) assert.deepEqual([one.count, one.isNo], [1, true]);
        },
      };
    },
  );

await killedAtEachStep(
  'Somebody whom nobody is to contact, lifted',
  ['do_not_contact'],
  async (ground) => {
    const { ok, allowed } = ground;
    const number = newNumber();
    const record = await visit(ground, number);
    await ok(REGISTER, { record }, allowed.do_not_contact);
    const entry = (await found(ground, number, record)).entries[0]?.unique_identifier;
    const lift = () =>
      ok(`${REGISTER}/${entry}/lift`, { reason: 'they called' }, allowed.do_not_contact);
    return {
      act: lift,
      async check() {
        const { count, isNo } = await found(ground, number, record);
        assert.equal(isNo, count > 0, 'with what was said of the record, or not at all');
        await lift();
        assert.equal((await found(ground, number, record)).isNo, false);
      },
    };
  },
);

const known = new WeakMap<KillGround, readonly (readonly [number: string, record: string])[]>();

await killedAtEachStep(
  'A start that enters what version 1.0 has left',
  ['do_not_contact'],
  async (ground) => {
    let people = known.get(ground);
    if (people === undefined) {
      const numbers = [newNumber(), newNumber(), newNumber()];
      people = await Promise.all(
        numbers.map(async (number) => [number, await visit(ground, number)] as const),
      );
      known.set(ground, people);
      await ground.copy();
    }
    await ground.setBack();
    const markOf = marksBy(String(ground.env.SECRET_KEY_FILE));
    // Of the last nothing but the hash is known: its record is another one.
    const left = people.flatMap(([number, record], at) => {
      const own = at === 2 ? 'ecr_gone' : record;
      return [own, markOf(number)].map((mark) => [ground.account, mark, `fup_${at}`, own]);
    });
    await leftBy(ground.env.DATABASE_URL, left);
    return {
      starts: true,
      async check() {
        for (const [number, record] of people) {
          const { count, isNo } = await found(ground, number, record);
          assert.deepEqual([count, isNo], [1, true], 'entered once');
        }
      },
    };
  },
);
