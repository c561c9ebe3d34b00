/** Answers that are sent again, and faults, for every resource (specification, section 2; decisions, "Requests"). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ApiError } from '../../src/core/errors.ts';
import { resources } from '../../src/core/resources/index.ts';
import type { Resource } from '../../src/core/schema/define.ts';
import { merge } from '../../src/core/schema/merge/merge.ts';
import type { JsonObject } from '../../src/core/schema/values.ts';
import { paramsOf, parseSent, refusalOf } from '../support/params.ts';
import { pluck } from '../support/pluck.ts';

const writable = resources.filter(({ parent }) => parent !== undefined);

const refusal = (...sent: Parameters<typeof parseSent>): ApiError =>
  refusalOf(() => parseSent(...sent)) ?? assert.fail('it was accepted');

for (const resource of writable) {
  describe(`an upsert of ${resource.path}`, () => {
    const upserts = paramsOf(resource.params).filter(({ answered }) => keepsNeeds(answered));

    it('may send back what was answered: nothing changes', () => {
      fc.assert(
        fc.property(upserts, ({ send, answered }) => {
          const { patch } = parseSent(resource, send);
          const { document } = merge(resource.shape.document, undefined, patch);
          const again = parseSent(resource, {
            ...answered,
            [resource.parentParam as string]: 'any',
          });
          assert.equal(merge(resource.shape.document, document, again.patch).document, document);
        }),
      );
    });

    it('is told every fault at once, each field by its path, in the order of the reference', () => {
      const wrong: JsonObject = {};
      const expected: string[] = [];
      for (const [name, { kind }] of Object.entries(resource.params)) {
        const inner = Object.entries(kind.members ?? {});
        wrong[name] =
          inner.length === 0 ? [7] : Object.fromEntries(inner.map(([member]) => [member, [7]]));
        const within = kind.members !== undefined ? inner.map(([member]) => `.${member}`) : [''];
        const elements = kind.name.startsWith('array') ? ['.0'] : within;
        expected.push(...elements.map((path) => name + path));
      }
      const error = refusal(resource, wrong);
      assert.deepEqual(pluck(error.faults, 'param'), expected);
      assert.equal(error.param, expected[0]);
      assert.equal(error.status, 400);
      for (const { param, message } of error.faults)
        assert.ok(message.startsWith(`${param} `), message);
    });
  });
}

/** What one member needs of another is no matter of each by itself. */
function keepsNeeds({ additional_cart_metadata, person }: JsonObject): boolean {
  const cart = (additional_cart_metadata ?? {}) as JsonObject;
  const { date_of_birth = '', date_of_death = '9999-12-31' } = (person ?? {}) as JsonObject;
  const inOrder = String(date_of_birth) <= String(date_of_death);
  return inOrder && (!('cart_value_in_cents' in cart) || 'cart_currency' in cart);
}

describe('an answer to many faults', () => {
  const [resource] = writable as [Resource];

  it('names 100 of them and counts the rest', () => {
    const body = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`x${index}`, 1]));
    const missing = Object.values(resource.params).filter(({ required }) => required).length;
    const error = refusal(resource, body);
    assert.equal(error.faults.length, 100);
    const others = 150 + missing - 1;
    assert.ok(
      error.message.endsWith(
        ` (and ${others} more faults, see errors, of which ${others - 99} are only counted)`,
      ),
      error.message,
    );
  });

  it('does not repeat a name of a megabyte', () => {
    const error = refusal(resource, { ['x'.repeat(1_000_000)]: 1 });
    assert.ok(JSON.stringify([error.message, error.faults]).length < 5000);
  });

  it('says in one fault that a body is no object', () => {
    for (const body of ['[]', '"x"', '7', 'null', 'true']) {
      const { faults } = refusal(resource, body);
      assert.equal(faults.length, 1);
      assert.equal(faults[0]?.code, 'type_invalid');
      assert.equal(faults[0]?.param, undefined);
    }
  });
});
