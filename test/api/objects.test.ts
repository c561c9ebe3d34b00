/** Every endpoint and every field of the specification, by JSON and by form. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples, formOf } from '../support/bodies.ts';
import { pluck } from '../support/pluck.ts';
import type { Body } from '../support/service.ts';
import { joined } from '../support/world.ts';

let parents: Record<'account' | 'location' | 'event', string>;

const service = joined(async () => {
  const location = await service.location();
  const event = await service.event(location);
  parents = { account: service.account.unique_identifier, location, event };
});

/** Which ancestor an answer names, and by which member (specification, section 2). */
const HOME = { account: 'account', location: 'location', event: 'location' } as const;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

for (const { path, parent, prefix, full, least, answered } of examples) {
  describe(`POST /v1/${path}/upsert`, () => {
    const parentParam = `${parent}_unique_identifier`;
    const homeMember = `${HOME[parent]}_unique_identifier`;
    const withParent = (body: Body): Body => ({ [parentParam]: parents[parent], ...body });

    const check = (body: Body, external_identifier: string, wanted = answered): void => {
      const { unique_identifier, inserted_at, updated_at, ...rest } = body;
      assert.match(unique_identifier, new RegExp(`^${prefix}[0-9A-Za-z]{22}$`));
      assert.match(inserted_at, TIME);
      assert.match(updated_at, TIME);
      const home = { [homeMember]: parents[HOME[parent]] };
      assert.deepEqual(rest, { ...wanted, external_identifier, ...home });
    };

    it('takes every field by JSON and answers exactly the members of the specification', async () => {
      const { status, headers, body } = await service.json(`/v1/${path}/upsert`, withParent(full));
      assert.equal(status, 200);
      assert.equal(headers.get('ledgerstone-outcome'), 'created');
      check(body, full.external_identifier);
    });

    it('takes every field by form and answers the same', async () => {
      const external_identifier = 'by form';
      const form = formOf(textual(withParent({ ...full, external_identifier })));
      const { status, headers, body, text } = await service.form(`/v1/${path}/upsert`, form);
      assert.equal(status, 200, text);
      assert.equal(headers.get('ledgerstone-outcome'), 'created');
      check(body, external_identifier, textualContent(answered));
    });

    it('takes the required fields alone, and leaves absent members out', async () => {
      const { status, body } = await service.json(`/v1/${path}/upsert`, withParent(least));
      assert.equal(status, 200, JSON.stringify(body));
      assert.ok(!JSON.stringify(body).includes('null'));
      const known = ['object', 'unique_identifier', homeMember, 'public_data', 'event_datetime'];
      const all = new Set([...known, 'inserted_at', 'updated_at', ...Object.keys(least)]);
      for (const name of Object.keys(body)) assert.ok(all.has(name), name);
    });

    it('finds the record again by its pair, answers unchanged, and keeps its identifier and times', async () => {
      const first = await service.json(`/v1/${path}/upsert`, withParent(full));
      const again = await service.json(`/v1/${path}/upsert`, withParent(full));
      assert.equal(again.status, 200);
      assert.equal(again.headers.get('ledgerstone-outcome'), 'unchanged');
      assert.deepEqual(again.body, first.body);
    });

    it('requires every required field, in updates too, and names all that are missing', async () => {
      const { status, body } = await service.json(`/v1/${path}/upsert`, {});
      assert.equal(status, 400);
      const required = [parentParam, ...Object.keys(least)];
      const missing = required.map((name) => [name, 'parameter_missing']);
      assert.deepEqual(pluck(body.error.errors, 'param', 'code'), missing);
    });
  });
}

/** In forms, free-form content has texts alone (decisions, "Types"); a null has no spelling. */
function textual(body: Body): Body {
  return body.additional_data === undefined
    ? body
    : { ...body, additional_data: withoutNulls(body.additional_data) };
}

function withoutNulls(value: Body): Body {
  return JSON.parse(JSON.stringify(value), (_key, one) => (one === null ? '' : one));
}

function textualContent(answered: Body): Body {
  const texts = (value: Body): Body =>
    JSON.parse(JSON.stringify(withoutNulls(value)), (_key, one) =>
      typeof one === 'number' || typeof one === 'boolean' ? String(one) : one,
    );
  const copy = structuredClone(answered);
  if (copy.additional_data !== undefined) copy.additional_data = texts(copy.additional_data);
  if (copy.public_data?.additional_event_metadata !== undefined) {
    copy.public_data.additional_event_metadata = texts(copy.public_data.additional_event_metadata);
  }
  return copy;
}
