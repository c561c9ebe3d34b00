/** What is declared to sort and filter by is found in the documents, wherever they hold it. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defineResource } from '../../src/core/schema/define.ts';
import { content, object, optional, required, text } from '../../src/core/schema/fields/index.ts';
import { keyValue } from '../../src/core/schema/shape.ts';
import { pluck } from '../support/pluck.ts';

const fields = {
  title: required(text(), 'The title'),
  owner: optional(object({ name: optional(text(), 'The name') }), 'The owner'),
  notes: optional(content({ maxBytes: 100 }), 'Notes'),
};
const public_data = {
  email: optional(text(), 'The email'),
  person: optional(object({ phone: optional(text(), 'The phone') }), 'The person'),
};
const base = {
  name: 'thing',
  path: 'things',
  prefix: 'thg_',
  says: 'A thing.',
  parent: undefined,
  fields,
};

describe('Declared keys', () => {
  const { shape } = defineResource({
    ...base,
    public_data,
    keys: {
      name: { field: 'title', as: 'folded' },
      owner: { field: 'owner.name', as: 'folded' },
      email: { field: 'email', as: 'plain' },
      phone: { field: 'person.phone', as: 'plain' },
    },
    list: { order: 'name', page: 10, entry: { name: 'title' } },
  });

  it('lead to the fields of the document and of its public_data', () => {
    assert.deepEqual(pluck(shape.keys, 'name', 'path'), [
      ['name', ['title']],
      ['owner', ['owner', 'name']],
      ['email', ['public_data', 'email']],
      ['phone', ['public_data', 'person', 'phone']],
    ]);
  });

  it('give texts folded, or as they stand, and nothing where there is no text', () => {
    const values = (document: Parameters<typeof keyValue>[1]) =>
      shape.keys.map((key) => keyValue(key, document));
    const full = {
      title: 'Émile',
      owner: { name: 'Zoé' },
      public_data: { email: 'Jane@Example.com', person: { phone: '+14155550123' } },
    };
    assert.deepEqual(values(full), ['emile', 'zoe', 'Jane@Example.com', '+14155550123']);
    assert.deepEqual(values({ title: 7, public_data: { person: 'x' } }), [null, null, null, null]);
  });

  it('are for the order of the list where it names them, and to filter by otherwise', () => {
    assert.deepEqual(pluck(shape.keys, 'for'), ['order', 'filter', 'filter', 'filter']);
  });

  it('of a field that is not there, or holds no single value, are refused', () => {
    const define = (field: 'owner' | 'owner.age' | 'notes.x' | 'title.x') => () =>
      defineResource({ ...base, keys: { wrong: { field, as: 'plain' } } });
    for (const field of ['owner', 'owner.age', 'notes.x', 'title.x'] as const) {
      assert.throws(define(field), TypeError);
    }
  });
});
