/** `kill -9` after every statement of a start over a store that was set back: who was erased since is never seen, and is erased again. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KillGround, killedAtEachStep, VISITORS } from '../support/killed-steps.ts';

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
