/** However much one key has under way, what another key sends is among the next things that are done. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { served } from '../support/world.ts';

/** So many that what it takes to connect hardly counts. */
const REMOVALS = 800;
const ARRANGEMENTS = '/v1/online_arrangements';

let location: string;
let other: string;

const service = served({}, async () => {
  location = await service.location();
  other = (await service.newKey()).secret;
});

const arrangement = (external_identifier: string) => ({
  ...{ location_unique_identifier: location, external_identifier, cart_summary: 'Urn' },
  ...{ person_full_name: 'Name of a person', person_phone_number: '+14155550123' },
});
const upsert = async (body: object, key = service.key): Promise<string> => {
  const { status, body: record } = await service.json(`${ARRANGEMENTS}/upsert`, body, { key });
  assert.equal(status, 200);
  return record.unique_identifier;
};
const remove = async (record: string, key = service.key): Promise<void> => {
  const { status } = await service.send('DELETE', `${ARRANGEMENTS}/${record}`, { key });
  assert.equal(status, 200);
};

/** How many of the first are done when the last one, sent after all of them, is. */
async function doneBefore(
  many: readonly (() => Promise<unknown>)[],
  last: () => Promise<unknown>,
): Promise<number> {
  let done = 0;
  const some = Promise.withResolvers<void>();
  const all = many.map((one) =>
    one().then(() => {
      done += 1;
      if (done === 4) some.resolve();
    }),
  );
  // Until some are answered, all have been read.
  await some.promise;
  await last();
  const before = done;
  await Promise.all(all);
  return before;
}

describe('Beside a key with hundreds of requests under way another key', () => {
  it('has its removal, and its upsert, before most removals', async () => {
    const made = await Promise.all(
      Array.from({ length: REMOVALS + 1 }, (_, at) => upsert(arrangement(`short ${at}`))),
    );
    const own = made.pop() as string;
    const removals = made.map((record) => () => remove(record));
    const done = await doneBefore(removals, async () => {
      await Promise.all([remove(own, other), upsert(arrangement('small'), other)]);
    });
    assert.ok(done < REMOVALS / 5, `${done} were done before it`);
  });
});
