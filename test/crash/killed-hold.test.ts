/** `kill -9` after every statement with which a hold is released: it is or it is not, and what waited for it is erased. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { killedAtEachStep, VISITORS } from '../support/killed-steps.ts';

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
