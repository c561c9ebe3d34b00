/** `kill -9` after every statement with which an erasure is lifted, or a hold released: it is or it is not. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { killedAtEachStep, VISITORS } from '../support/killed-steps.ts';

await killedAtEachStep('The lift of an erasure', ['erase'], async (ground) => {
  const { allowed, journal, ok, send } = ground;
  const sent = ground.guest(await ground.funeral(), 'guest');
  const { unique_identifier: record } = await ok(`${VISITORS}/upsert`, sent);
  /** Done once the journal tells of it, and of all before. */
  const erased = async (id: string): Promise<string> => {
    const { path, run, isDone } = await ground.erasing(id);
    await run();
    await isDone();
    return path;
  };
  const path = await erased(record);
  const lift = () => ok(`${path}/lift`, { record }, allowed.erase);
  const isGone = async () => (await send(`${VISITORS}/${record}`)).status === 410;
  const told = (id: string) =>
    readFileSync(join(journal, 'erasures.ndjson'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter((line) => line.record === id)
      .map(({ did }) => did)
      .join();

  return {
    act: lift,
    async check() {
      const { status } = await send(`${VISITORS}/upsert`, sent);
      const { erased: left } = await ok(path, undefined, allowed.erase);
      assert.deepEqual([status, left], status === 410 ? [410, 1] : [200, 0]);
      assert.equal(await isGone(), status === 410);
      if (status === 410) await lift();
      const { unique_identifier: again } = await ok(`${VISITORS}/upsert`, sent);
      await erased(again);
      assert.deepEqual([told(record), told(again)], ['erased,lifted', 'erased']);
    },
  };
});

await killedAtEachStep('The release of a hold', ['erase', 'hold'], async (ground) => {
  const { account, allowed, ok, send } = ground;
  const event = await ground.funeral();
  const record = await ground.visit(event, 'guest');
  const hold = await ok('/v1/holds', { account, record: event, matter: 'A' }, allowed.hold);
  const holdPath = `/v1/holds/${hold.unique_identifier}`;
  const { now, run, isDone } = await ground.erasing(record);
  const release = () => ok(`${holdPath}/release`, { reason: 'over' }, allowed.hold);
  assert.equal((await run()).status, 'waiting');

  return {
    async act() {
      await release();
      await run();
      await isDone();
    },
    async check() {
      const { released_at } = await ok(holdPath, undefined, allowed.hold);
      if (released_at === null) {
        assert.equal((await send(`${VISITORS}/${record}`)).status, 200);
        const removed = await send(`${VISITORS}/${record}`, undefined, { method: 'DELETE' });
        assert.equal(removed.body.error.code, 'record_held');
        await release();
        await run();
      }
      await isDone();
      const done = await now();
      assert.deepEqual([done.erased, done.left], [1, []]);
      assert.equal((await send(`${VISITORS}/${record}`)).status, 410);
    },
  };
});
