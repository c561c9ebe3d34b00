/**
 * Whoever follows the log gets each record as it was before and after a change, and reads each version of it a bounded number
 * of times, however many others came since: by pieces of any size, of which some ask for nothing.
 */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import fc from 'fast-check';
import type { LoggedChange } from '../../src/store/promises/log.ts';
import type { Store } from '../../src/store/promises/store.ts';
import { createSteps } from '../../src/store/steps.ts';
import { serviceGround } from '../support/service-ground.ts';
import { shapes } from '../support/store-shapes.ts';
import { createProves, pageOf, thingDraft } from '../support/store-world.ts';

const VERSIONS = 1_200;
/** As much as is read of a log at once. */
const PIECE = 250;
/** What is remembered of the way back leaves a part of it to be read again. */
const TIMES = 12;

describe('A record of many versions', () => {
  const proves = createProves(() => serviceGround());
  proves('is followed through each of them', async ({ store, account, home }) => {
    for (let from = 0; from < VERSIONS; from += 40)
      await store.commit(
        Array.from({ length: 40 }, (_, at) =>
          thingDraft(home, 'one', { label: `label ${from + at}` }),
        ),
      );
    const { changes: all } = await pageOf(store, { account, limit: 2 * VERSIONS });
    const own = all.filter(({ resource }) => resource === 'thing');
    assert.equal(own.length, VERSIONS);
    const labelOf = (document: unknown) => (document as { label?: string } | undefined)?.label;

    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 3 }),
      async (size, each) => {
        let read = 0;
        const back: Store['log']['back'] = async function* (...given) {
          for await (const changes of store.log.back(...given)) {
            read += changes.length;
            yield changes;
          }
        };
        const log = Object.assign(Object.create(store.log), { back });
        const steps = createSteps({ log, findAll: store.findAll }, shapes);
        for (let from = 0; from < own.length; from += size) {
          const piece = own.slice(from, from + size);
          const asked = piece.filter((_, at) => (from + at) % each === 0);
          const finding = steps.find(account, asked);
          let found = await finding.next();
          while (!found.done) found = await finding.next();
          const known = found.value as ReadonlyMap<
            LoggedChange,
            { before: unknown; after: unknown }
          >;
          for (const change of asked) {
            const at = own.indexOf(change);
            const step = known.get(change);
            assert.equal(labelOf(step?.after), `label ${at}`);
            assert.equal(labelOf(step?.before), at === 0 ? undefined : `label ${at - 1}`);
          }
        }
        const most = TIMES * VERSIONS + PIECE * Math.ceil(own.length / size);
        assert.ok(read <= most, `${read} versions, ${size} changes at a time`);
      },
    );
    await fc.assert(property, {
      numRuns: 8,
      examples: [
        [1, 1],
        [2, 1],
        [60, 3],
      ],
    });
  });
});
