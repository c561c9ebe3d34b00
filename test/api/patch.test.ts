/** PATCH /v1/<resource>/{unique_identifier}: the upsert's merge, of a record that is there, with nothing required. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples, formOf } from '../support/bodies.ts';
import { faultsOf } from '../support/scenario.ts';
import type { Body, Sent } from '../support/service.ts';
import { leastOf, outcomeOf, refused, world } from '../support/world.ts';

let other: string;
const stage = world({}, async ({ service }) => {
  other = await service.location('other chapel');
});
const { made } = stage;

const patch = (path: string, { unique_identifier }: Body, body: Body, sent: Sent = {}) =>
  stage.service.patch(`/v1/${path}/${unique_identifier}`, body, sent);
const typed = (type: string) => ({ headers: { 'Content-Type': type } });
const matching = (tag: string) => ({ headers: { 'If-Match': tag } });

const nameOf = (path: string): string => Object.keys(leastOf(path)).at(0) ?? '';

for (const { path, full, answered } of examples) {
  describe(`PATCH /v1/${path}/{unique_identifier}`, () => {
    const { external_identifier: _, ...fields } = full;

    it('takes every field of the upsert, by JSON, and answers as the upsert does', async () => {
      const before = await made(path, 'by json');
      const answer = await patch(path, before, fields);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(outcomeOf(answer), 'updated');
      assert.partialDeepStrictEqual(answer.body, answered);
      const upserted = await stage.upsert(path, { as: 'by json', json: fields });
      assert.equal(outcomeOf(upserted), 'unchanged');
      assert.equal(upserted.text, answer.text);
    });

    it('is a merge patch, and takes its media type', async () => {
      const before = await made(path, 'merge patch');
      const type = typed('application/merge-patch+json; charset=utf-8');
      const answer = await patch(path, before, fields, type);
      assert.equal(answer.status, 200, answer.text);
      assert.partialDeepStrictEqual(answer.body, answered);
      const other = await patch(path, before, fields, typed('text/xml'));
      assert.equal(other.status, 415);
      assert.match(other.body.error.message, /; "text\/xml" arrived/);
      assert.match(other.headers.get('accept-patch') ?? '', /, application\/merge-patch\+json$/);
      assert.equal(other.headers.get('accept-post'), null);
    });

    it('takes every field of the upsert by form', async () => {
      const before = await made(path, 'by form');
      const form = typed('application/x-www-form-urlencoded');
      const answer = await patch(path, before, formOf(fields), form);
      assert.equal(answer.status, 200, answer.text);
      // In a form, what stands in free-form content is a text.
      assert.equal(answer.body.unique_identifier, before.unique_identifier);
      assert.equal(outcomeOf(answer), 'updated');
    });

    it('needs nothing: an empty body changes nothing', async () => {
      const before = await made(path, 'empty');
      for (const body of ['{}', '']) {
        const type = body === '' ? 'application/x-www-form-urlencoded' : 'application/json';
        const answer = await patch(path, before, body, typed(type));
        assert.equal(outcomeOf(answer), 'unchanged', answer.text);
        assert.deepEqual(answer.body, before);
      }
    });

    it('takes neither null nor "" for a field that is required', async () => {
      const before = await made(path, 'required');
      for (const value of [null, '', ' ']) {
        const answer = await patch(path, before, { [nameOf(path)]: value });
        if (path === 'direct_mail_replies' && value !== null) continue;
        assert.equal(answer.status, 400, answer.text);
        assert.deepEqual(faultsOf(answer), [[nameOf(path), 'parameter_missing']]);
      }
    });
  });
}

describe('what identifies a record', () => {
  it('may be repeated, in every way there is to name its parent', async () => {
    const { account, location, event } = stage.parents;
    const record = await made('event_administrators', 'identity');
    for (const identity of [
      { external_identifier: 'identity' },
      { event_unique_identifier: event },
      { event_external_identifier: 'service', location_unique_identifier: location },
      { location_external_identifier: 'chapel', account_unique_identifier: account },
      { location_unique_identifier: record.location_unique_identifier },
    ]) {
      const answer = await patch('event_administrators', record, identity);
      assert.equal(outcomeOf(answer), 'unchanged', answer.text);
    }
  });

  it('cannot be changed: every parameter that would is named', async () => {
    const record = await made('event_administrators', 'fixed');
    const identity = {
      external_identifier: 'another',
      event_unique_identifier: 'evt_another',
      event_external_identifier: 'another',
      location_unique_identifier: other,
      location_external_identifier: 'other chapel',
      account_unique_identifier: 'acct_another',
    };
    const answer = await patch('event_administrators', record, identity);
    assert.equal(answer.status, 400);
    const faults = Object.keys(identity).map((param) => [param, 'value_invalid']);
    assert.deepEqual(faultsOf(answer).toSorted(), faults.sort());
  });

  it('is no field of the record otherwise: what only answers hold is unknown', async () => {
    const record = await made('events', 'unknown');
    const answer = await patch('events', record, { object: 'event', public_data: {} });
    assert.deepEqual(faultsOf(answer), [
      ['object', 'parameter_unknown'],
      ['public_data', 'parameter_unknown'],
    ]);
  });
});

describe('the merge', () => {
  it('is that of the upsert: members are merged, null removes', async () => {
    const person = { full_name: 'A Name', date_of_birth: '1948-02-29' };
    const stored = { person, additional_event_metadata: { a: 1, b: 2 } };
    const record = await made('events', 'merge', stored);
    const answer = await patch('events', record, {
      person: { ...person, date_of_birth: null },
      additional_event_metadata: { b: null, c: 3 },
    });
    assert.deepEqual(answer.body.public_data, {
      person: { full_name: 'A Name' },
      additional_event_metadata: { a: 1, c: 3 },
    });
  });
});

describe('ETag and If-Match', () => {
  it('the ETag of an upsert or a PATCH is the one that the next PATCH may name', async () => {
    const created = await stage.upsert('events', { as: 'tagged' });
    const first = created.headers.get('etag') ?? '';
    assert.match(first, /^"[^"]+"$/);
    const changed = await patch('events', created.body, { event_name: 'B' }, matching(first));
    assert.equal(changed.status, 200, changed.text);
    const second = changed.headers.get('etag') ?? '';
    assert.notEqual(second, first);
    const late = await patch('events', created.body, { event_name: 'C' }, matching(first));
    refused(late, 412, 'record_changed');
    assert.match(late.body.error.message, /is at version 2 now/);
    const { body, headers } = await patch('events', created.body, {});
    assert.equal(body.event_name, 'B');
    assert.equal(headers.get('etag'), second);
  });

  it('takes *, lists and no weak tags; what is no tag is 400', async () => {
    const { body, headers } = await stage.upsert('events', { as: 'tags' });
    const tag = headers.get('etag') ?? '';
    for (const [status, ...sent] of [
      [200, '*', `"x", ${tag}`, `"x,y",${tag} , W/"z"`],
      [412, `W/${tag}`, '"0"', '"another"'],
      [400, tag.replaceAll('"', ''), '', `${tag} ${tag}`],
    ] as const)
      for (const one of sent) {
        const answer = await patch('events', body, {}, matching(one));
        assert.equal(answer.status, status, `${one}: ${answer.text}`);
        if (status === 400) assert.equal(answer.body.error.code, 'header_invalid');
      }
  });

  it('holds for upserts, too', async () => {
    await stage.upsert('events', { as: 'upserted' });
    const sent = { as: 'upserted', json: { event_name: 'B' }, ...matching('"7"') };
    refused(await stage.upsert('events', sent), 412);
  });
});

describe('keys', () => {
  it('of a location patch it and what is below it; another location is 403', async () => {
    const { service, parents } = stage;
    const { secret: key } = await service.newKey({ anchors: [parents.location] });
    const below = await made('events', 'below');
    const of = (path: string, unique_identifier: string) =>
      patch(path, { unique_identifier }, {}, { key });
    assert.equal((await of('locations', parents.location)).status, 200);
    assert.equal((await of('events', below.unique_identifier)).status, 200);
    for (const location of [other, 'nothing']) {
      refused(await of('locations', location), 403, 'location_not_permitted');
    }
  });
});

it('accounts are neither changed nor removed through the interface, by no address', async () => {
  for (const at of [`/${stage.account}`, '?external_identifier=x'])
    for (const method of ['PATCH', 'DELETE'])
      refused(await stage.service.send(method, `/v1/accounts${at}`), 405);
});
