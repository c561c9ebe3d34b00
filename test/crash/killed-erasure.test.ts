/** `kill -9` after every statement of an erasure: nothing of it is half visible, and the next process brings it to its end. */
// needs: --ci, program, waits
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KillGround, killedAtEachStep, VISITORS } from '../support/killed-steps.ts';
import { visitorBody } from '../support/sent.ts';

const MARK = 'Rumpelstilzchen';
const visitor = (event: string, at: number) =>
  visitorBody(event, `visitor ${at}`, { visitor_full_name: `${MARK} ${at}` });

/** A service with two visitors who go, one of whom was removed, and one who stays. */
async function people({ funeral, ok, send }: KillGround) {
  const { position: from } = await ok('/v1/changes?starting_after=now');
  const more = { event_name: `Service for ${MARK}`, person: { full_name: MARK } };
  const event = await funeral(undefined, more);
  const visitors: string[] = [];
  for (const at of [0, 1]) {
    for (const relation of [`${MARK} a`, `${MARK} b`, 'friend']) {
      const sent = { ...visitor(event, at), visitor_relationship_to_deceased: relation };
      const made = await ok(`${VISITORS}/upsert`, sent);
      if (relation === 'friend') visitors.push(made.unique_identifier);
    }
  }
  const { unique_identifier: stays } = await ok(`${VISITORS}/upsert`, {
    ...visitor(event, 9),
    visitor_full_name: 'Neighbour',
  });
  const removed = await send(`${VISITORS}/${visitors[1]}`, undefined, { method: 'DELETE' });
  assert.equal(removed.status, 200, removed.text);
  return { event, visitors, stays, from };
}

await killedAtEachStep('An erasure', ['erase'], async (ground) => {
  const { ok, send, journal } = ground;
  const { event, visitors, stays, from } = await people(ground);
  const records = [event, ...visitors];
  const { now, run, isDone } = await ground.erasing(...records);
  const list = `${VISITORS}?event_unique_identifier=${event}`;

  /** What is erased is so in every answer, before all of it is. */
  const isWhole = async () => {
    for (const { id, sent } of visitors.map((id, at) => ({ id, sent: visitor(event, at) }))) {
      const { status } = await send(`${VISITORS}/${id}`);
      if (status !== 410) continue;
      const { data } = await ok(list);
      assert.ok(!data.some((one: { unique_identifier: string }) => one.unique_identifier === id));
      assert.equal((await send(`${VISITORS}/${id}/history`)).status, 410);
      assert.equal((await send(`${VISITORS}/upsert`, sent)).status, 410);
    }
    const { text, body } = await send(`/v1/events/${event}`);
    if (body.event_name !== 'Erased') return;
    assert.doesNotMatch(text, new RegExp(MARK));
    assert.equal((await send(`/v1/events/${event}/history`)).status, 410);
  };

  return {
    async act() {
      await run();
      await isDone();
    },
    async check() {
      await isWhole();
      // It was killed before it was noted what to erase.
      if ((await now()).status === 'ready') await run();
      await isDone();
      const done = await now();
      assert.deepEqual([done.erased, done.left], [3, []]);
      for (const id of visitors) assert.equal((await send(`${VISITORS}/${id}`)).status, 410);
      await isWhole();
      const { data } = await ok(list);
      const there = data.map((one: { unique_identifier: string }) => one.unique_identifier);
      assert.deepEqual(there, [stays]);
      const changes = await ok(`/v1/changes?limit=1000&starting_after=${from}`);
      assert.doesNotMatch(JSON.stringify(changes), new RegExp(MARK));
      const lines = readFileSync(join(journal, 'erasures.ndjson'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).record);
      for (const record of records) {
        const told = changes.data.filter(
          (one: { record: string; outcome: string }) =>
            one.record === record && one.outcome === 'erased',
        );
        assert.equal(told.length, 1, 'it is told once');
        assert.equal(lines.filter((one) => one === record).length, 1);
      }
    },
  };
});
