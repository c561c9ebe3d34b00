/** Promise 6: what is stored and answered is what `merge` gives. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import fc from 'fast-check';
import { equalJson, parseStored, stringify } from '../../src/core/schema/json/json.ts';
import { merge } from '../../src/core/schema/merge/merge.ts';
import { isObject, type JsonObject } from '../../src/core/schema/values.ts';
import type { Outcome } from '../../src/store/promises/store.ts';
import { ALL } from '../support/all.ts';
import { thingPatch } from '../support/store-patches.ts';
import { thing } from '../support/store-shapes.ts';
import {
  listed,
  type Proves,
  placeDraft,
  refused,
  thingDraft,
  within,
  write,
  written,
} from '../support/store-world.ts';

/** An object as a body brings it, with its numbers lossless. */
function parsed(text: string): JsonObject {
  const value = parseStored(text);
  assert.ok(isObject(value));
  return value;
}

function same(text: string, value: JsonObject): void {
  assert.ok(equalJson(parsed(text), value), `${text} is not ${stringify(value)}`);
}

export function describePromises(proves: Proves): void {
  describe('6. Merge means merge.ts', () => {
    proves('numbers that no double holds come back as they were', async ({ store, home }) => {
      const sent = '{"extra":{"big":12345678901234567890,"small":1e-400,"list":[0.1,1e+400,7]}}';
      const made = await write(store, thingDraft(home, 'a', parsed(sent)));
      assert.ok(equalJson(parsed(made.document), parsed(sent)), made.document);
      const [again] = await store.commit([thingDraft(home, 'a', parsed(sent))]);
      assert.equal(again?.outcome, 'unchanged');
      const found = await store.find(thing, made.unique_identifier, within(home.account));
      assert.equal(found?.document, made.document);
    });

    proves('members of any name come back, and can be removed', async ({ store, home }) => {
      const sent =
        '{"extra":{"__proto__":{"x":1},"constructor":2,"":3,"ü\\n\\"":4,"😀":{"__proto__":[5]}}}';
      const made = await write(store, thingDraft(home, 'a', parsed(sent)));
      same(made.document, parsed(sent));
      const patch = parsed('{"extra":{"__proto__":null,"":null,"😀":{"__proto__":null}}}');
      const after = await write(store, thingDraft(home, 'a', patch));
      same(after.document, parsed('{"extra":{"constructor":2,"ü\\n\\"":4,"😀":{}}}'));
    });

    proves('texts come back as they were', async ({ store, home }) => {
      const texts = ['e\u0301', 'é', '\u{1f600}', '\ufeff \t\r\n', "'; DROP TABLE thing; --"];
      for (const text of [...texts, '\\u0041']) {
        const made = await write(store, thingDraft(home, text, { label: text }));
        assert.equal(made.external_identifier, text);
        same(made.document, { label: text });
      }
      const there = await listed(store, thing, within(home.account));
      assert.equal(there.length, texts.length + 1, 'each is a record of its own');
    });

    proves('any history of patches, in any batches, gives what merge gives', async (world) => {
      const { store, account } = world;
      let run = 0;
      await fc.assert(
        fc.asyncProperty(history, async (batches) => {
          run += 1;
          const at = await write(store, placeDraft(account, `run ${run}`, {}));
          const model = new Map<string, JsonObject>();
          for (const batch of batches) {
            const drafts = batch.map(({ name, patch }) => thingDraft(at, name, patch));
            const outcomes = await store.commit(drafts);
            for (const [index, step] of batch.entries()) follow(model, step, outcomes[index]);
          }
          const pair = { account, parent: at.unique_identifier };
          for (const external_identifier of NAMES) {
            const record = await store.findPair(thing, { ...pair, external_identifier });
            const expected = model.get(external_identifier);
            if (expected === undefined) assert.equal(record, undefined);
            else same(record?.document ?? '', expected);
          }
        }),
        { numRuns: ALL ? 200 : 60 },
      );
    });
  });
}

const NAMES = ['x', 'y', 'z'];

const step = fc.record({ name: fc.constantFrom(...NAMES), patch: thingPatch });
const history = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 6 });

/** Takes the step in the model, and holds the store's outcome to it. */
function follow(
  model: Map<string, JsonObject>,
  { name, patch }: { readonly name: string; readonly patch: JsonObject },
  outcome: Outcome | undefined,
): void {
  const before = model.get(name);
  const { document, faults } = merge(thing.document, before, patch);
  if (faults !== undefined) {
    assert.deepEqual(refused(outcome).faults, faults);
    return;
  }
  model.set(name, document);
  same(written(outcome).record.document, document);
  const expected = before === undefined ? 'created' : before === document ? 'unchanged' : 'updated';
  assert.equal(outcome?.outcome, expected);
}
