/** `kill -9` after every statement of a run of a retention rule, and of a start over a store that was set back. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KillGround, killedAtEachStep, VISITORS } from '../support/killed-steps.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';

const MARK = 'Rumpelstilzchen';
const EVENTS = '/v1/events';

interface Erased {
  readonly gone: readonly string[];
  /** A service whose content is gone, and a visitor of whom only the past is. */
  readonly redacted: string;
  readonly kept: string;
  /** Sends somebody who is gone. */
  sendAgain(): Promise<number>;
  /** The journal that tells of them. */
  readonly text: string;
}

/** What was erased after the store was copied. */
async function erasedSince(ground: KillGround): Promise<Erased> {
  const { send } = ground;
  const event = await ground.funeral('service', { event_name: `Service for ${MARK}` });
  const more = (name: string, visitor_relationship_to_deceased = 'friend') => ({
    ...{ visitor_full_name: name, visitor_relationship_to_deceased },
  });
  const visit = (name: string, relation?: string) =>
    ground.visit(event, name, more(name, relation));
  const gone = [await visit('Ida'), await visit('Leo')];
  await visit('Mia', MARK);
  const kept = await visit('Mia');
  await ground.copy();
  await ground.start();
  for (const { records, keep } of [
    { records: [...gone, event], keep: undefined },
    { records: [kept], keep: 'current' },
  ]) {
    const { run, isDone } = await ground.erasing(...records);
    await run({ keep });
    await isDone();
  }
  return {
    ...{ gone, redacted: event, kept, text: journalOf(ground) },
    sendAgain: async () =>
      (await send(`${VISITORS}/upsert`, ground.guest(event, 'Ida', more('Ida')))).status,
  };
}

function journalOf({ journal }: KillGround): string {
  return readFileSync(join(journal, 'erasures.ndjson'), 'utf8');
}

const known = new WeakMap<KillGround, Erased>();

await killedAtEachStep('The journal, applied', ['erase'], async (ground) => {
  const { gone, redacted, kept, text, sendAgain } =
    known.get(ground) ?? (await erasedSince(ground));
  known.set(ground, { gone, redacted, kept, text, sendAgain });
  await ground.setBack();
  return {
    starts: true,
    async check() {
      const { ok, send } = ground;
      for (const id of gone) {
        for (const end of ['', '/history'])
          assert.equal((await send(`${VISITORS}/${id}${end}`)).status, 410);
      }
      assert.equal(await sendAgain(), 410);
      const { data } = await ok(`${VISITORS}?event_unique_identifier=${redacted}`);
      const there = data.map((one: { unique_identifier: string }) => one.unique_identifier);
      assert.deepEqual(there, [kept]);
      for (const answer of [
        await send(`${EVENTS}/${redacted}`),
        await send(`${VISITORS}/${kept}/history`),
        await send('/v1/changes?limit=1000'),
      ]) {
        assert.equal(answer.status, 200);
        assert.doesNotMatch(answer.text, new RegExp(MARK));
      }
      assert.equal(journalOf(ground), text, 'each is told once');
    },
  };
});

const SERVICES = 3;
/** More than a run removes between two notes of how far it has come. */
const GUESTS = 60;
const RULES = '/v1/retention_rules';
const LONG_MS = 240_000;

await killedAtEachStep('A run of a retention rule', ['erase'], async (ground) => {
  const { account, allowed, ok, send } = ground;
  const officer = allowed.erase;
  const location = await ground.home();
  const { position: from } = await ok('/v1/changes?starting_after=now');
  const events = Array.from({ length: SERVICES }, (_, at) => ({
    ...{ location_unique_identifier: location, external_identifier: `service ${at}` },
    ...{ event_name: 'A service', event_datetime: '2019-03-20T14:30:00Z' },
  }));
  await ok('/v1/events/upsert_many', events);
  const guests = Array.from({ length: GUESTS }, (_, at) => ({
    ...{ location_unique_identifier: location, event_external_identifier: 'service 1' },
    ...{ external_identifier: `guest ${at}`, visitor_full_name: 'Nora Lane' },
    visitor_phone_number: '+12175550153',
  }));
  await ok('/v1/event_check_in_records/upsert_many', guests);
  const rule = { account, location, resource: 'event', after_days: 365, since: 'event_datetime' };
  const made = await ok(RULES, { ...rule, basis: 'policy' }, officer);
  const path = `${RULES}/${made.unique_identifier}`;
  const post = (what: string) =>
    send(`${path}/${what}`, undefined, { as: officer, method: 'POST' });
  const now = () => ok(path, undefined, officer);
  await post('preview');
  await until(async () => (await now()).preview.status === 'ready', LONG_MS);
  const runs = async (): Promise<Body[]> => (await ok(`${path}/runs`, undefined, officer)).data;
  // One process does the work, and another one waits until that has been silent for a while.
  const isDone = () => until(async () => (await runs()).at(-1)?.status === 'done', LONG_MS);

  return {
    async act() {
      await post('enable');
      await isDone();
    },
    async check() {
      if ((await now()).status === 'paused') await post('enable');
      await isDone();
      const run = (await runs()).at(-1);
      assert.deepEqual([run?.goes, run?.removed], [SERVICES + GUESTS, SERVICES + GUESTS]);
      for (const what of ['events', 'event_check_in_records'])
        assert.deepEqual((await ok(`/v1/${what}?location_unique_identifier=${location}`)).data, []);
      const { data } = await ok(`/v1/changes?limit=1000&starting_after=${from}`);
      const gone = data.flatMap(({ outcome, record }: Body) =>
        outcome === 'deleted' ? [record] : [],
      );
      assert.equal(gone.length, SERVICES + GUESTS);
      assert.equal(new Set(gone).size, gone.length, 'each is deleted once');
    },
  };
});
