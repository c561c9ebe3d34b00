/** From what is sent to what is answered, for every resource (specification, section 2; decisions, "Requests" and "Answers"). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ApiError } from '../../src/core/errors.ts';
import { resources } from '../../src/core/resources/index.ts';
import type { Resource } from '../../src/core/schema/define.ts';
import { parseStored, stringify } from '../../src/core/schema/json/json.ts';
import { merge } from '../../src/core/schema/merge/merge.ts';
import { presentEntry, presentList, presentRecord } from '../../src/core/schema/present/present.ts';
import type { JsonObject } from '../../src/core/schema/values.ts';
import { paramsOf, parseSent, refusalOf } from '../support/params.ts';
import { pluck } from '../support/pluck.ts';

/** The members of answers, by the specification: those that are always there, and those that may be. */
const MEMBERS: Record<string, { always: string; maybe?: string; public_data?: string }> = {
  location: { always: 'location_name account_unique_identifier public_data', public_data: '' },
  event: {
    always: 'event_name event_datetime location_unique_identifier public_data',
    public_data: 'person additional_event_metadata',
  },
  event_administrator: {
    always: 'person_full_name person_phone_number location_unique_identifier public_data',
    public_data:
      'person_email_address person_interested_in_pre_planning person_relationship_to_deceased',
  },
  event_check_in_record: {
    always: 'visitor_full_name visitor_phone_number location_unique_identifier public_data',
    public_data:
      'visitor_email_address visitor_interested_in_pre_planning visitor_relationship_to_deceased',
  },
  online_arrangement: {
    always: 'person_full_name person_phone_number cart_summary location_unique_identifier',
    maybe: 'additional_person_metadata additional_cart_metadata additional_data',
  },
  direct_mail_reply: {
    always: 'location_unique_identifier public_data',
    public_data: 'image_urls respondent_person respondent_address additional_metadata',
  },
};
const COMMON = 'object unique_identifier external_identifier inserted_at updated_at'.split(' ');
const words = (text = ''): string[] => text.split(' ').filter((word) => word !== '');

const writable = resources.filter(({ parent }) => parent !== undefined);

/** What a record with this document answers. */
function present(
  resource: Resource,
  external_identifier: string,
  document: JsonObject,
): JsonObject {
  const text = presentRecord(resource, recordOf(resource, external_identifier, document));
  return parseStored(text) as JsonObject;
}

function recordOf(
  { prefix, anchor }: Resource,
  external_identifier: string | null,
  document: JsonObject,
) {
  return {
    unique_identifier: `${prefix}0350hLTg4Qw7ghih1EWE8L`,
    account: 'acct_1',
    anchor: anchor || external_identifier === null ? null : 'loc_1',
    external_identifier,
    document: stringify(document),
    inserted_at: Date.UTC(2026, 10, 20, 14, 30, 0, 999),
    updated_at: Date.UTC(9999, 11, 31, 23, 59, 59, 1),
  };
}

const refusal = (...sent: Parameters<typeof parseSent>): ApiError =>
  refusalOf(() => parseSent(...sent)) ?? assert.fail('it was accepted');

for (const resource of writable) {
  describe(`an upsert of ${resource.path}`, () => {
    const { always = '', maybe, public_data } = MEMBERS[resource.name] ?? {};
    const upserts = paramsOf(resource.params).filter(({ answered }) => keepsNeeds(answered));

    it('is answered with exactly the members of the specification, and with what was sent', () => {
      fc.assert(
        fc.property(upserts, ({ send, answered }) => {
          const { patch, external_identifier, parent } = parseSent(resource, send);
          assert.equal(parent, send[resource.parentParam as string]);
          const { document = {} } = merge(resource.shape.document, undefined, patch);
          const answer = present(resource, external_identifier, document);

          const expected = [
            ...COMMON,
            ...words(always),
            ...words(maybe).filter((name) => name in answered),
          ];
          assert.deepEqual(Object.keys(answer).sort(), expected.sort());
          assert.equal(answer.object, resource.name);
          assert.equal(answer.inserted_at, '2026-11-20T14:30:00Z');
          assert.equal(answer.updated_at, '9999-12-31T23:59:59Z');
          assert.equal(
            answer.account_unique_identifier ?? answer.location_unique_identifier,
            resource.anchor ? 'acct_1' : 'loc_1',
          );
          const inside = (answer.public_data ?? {}) as JsonObject;
          assert.deepEqual(
            Object.keys(inside).sort(),
            words(public_data)
              .filter((name) => name in answered)
              .sort(),
          );
          for (const [name, value] of Object.entries(answered)) {
            if (name === resource.parentParam) continue;
            assert.deepEqual(answer[name] ?? inside[name], value, name);
          }
        }),
      );
    });

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

    it('names the nearest known name for one that is not known', () => {
      const least = Object.fromEntries(
        Object.entries(resource.params)
          .filter(([, { required }]) => required)
          .map(([name, { kind }]) => [name, kind.samples().accepted[0]?.send]),
      );
      for (const name of Object.keys(resource.params)) {
        const misspelt = name.slice(0, 3) + name.slice(4);
        const { faults } = refusal(resource, { ...least, [misspelt]: 'x' });
        assert.deepEqual(faults, [
          {
            param: misspelt,
            code: 'parameter_unknown',
            message: `${misspelt} is not a parameter here. Did you mean ${name}?`,
            values: { nearest: name },
          },
        ]);
        parseSent(resource, { ...least, [misspelt]: 'x' }, 'ignore');
      }
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

describe('lists', () => {
  const entries: Record<string, [document: JsonObject, entry: JsonObject]> = {
    accounts: [{ name: 'An Account' }, { name: 'An Account' }],
    locations: [
      { location_name: 'A Chapel', public_data: {} },
      { name: 'A Chapel', public_data: {} },
    ],
  };

  for (const listed of resources.filter(({ list }) => list.entry !== undefined)) {
    it(`${listed.path}: entries have exactly the members of the specification`, () => {
      const [document, entry] = entries[listed.path] as [JsonObject, JsonObject];
      const record = recordOf(listed, listed.parent === undefined ? null : 'mine', document);
      const list = JSON.parse(
        [...presentList(listed, [presentEntry(listed, record)], true)].join(''),
      );
      const times = { inserted_at: '2026-11-20T14:30:00Z', updated_at: '9999-12-31T23:59:59Z' };
      assert.deepEqual(list, {
        object: 'list',
        url: `/v1/${listed.path}`,
        has_more: true,
        data: [{ unique_identifier: record.unique_identifier, ...entry, ...times }],
      });
    });
  }
});
