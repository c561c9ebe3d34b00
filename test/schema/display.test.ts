/** What people are shown is declared with the records, so that a field which is added is shown with no other change. */
import assert from 'node:assert/strict';
import { describe as group, it } from 'node:test';
import { describe } from '../../console/build/describe.ts';
import { resources } from '../../src/core/resources/index.ts';
import { defineResource } from '../../src/core/schema/define.ts';
import {
  boolean,
  jpgUrl,
  object,
  optional,
  required,
  text,
} from '../../src/core/schema/fields/index.ts';
import { list } from '../../src/core/schema/fields/list.ts';
import { fieldsIn } from '../../src/core/schema/present/display.ts';
import { pluck } from '../support/pluck.ts';

const base = {
  name: 'old_thing',
  path: 'old_things',
  prefix: 'thg_',
  says: 'A thing.',
  parent: undefined,
  fields: {
    title: required(text({ max: 50 }), 'The title'),
    owner: optional(
      object({ full_name: required(text(), 'The name'), phone1: optional(text(), 'A phone') }),
      'The owner',
    ),
  },
  public_data: {
    is_rare: optional(boolean(), 'Whether it is rare'),
    pictures: optional(list(jpgUrl(), { min: 1, max: 3 }), 'Pictures'),
  },
} as const;

group('The description of what people are shown', () => {
  it('names every field of every resource once, in one group, with words of its own', () => {
    for (const [at, described] of describe(resources).resources.entries()) {
      const resource = resources[at];
      const declared = fieldsIn({ ...resource?.fields, ...resource?.public_data });
      const params = declared.map(({ path }) => path).sort();
      assert.deepEqual(described.fields.map(({ param }) => param).sort(), params);
      assert.deepEqual(described.groups.flatMap(({ fields }) => fields).sort(), params);
      for (const { label } of described.fields) assert.match(label, /^[A-Z][^_]+$/);
      for (const { label } of described.filters) assert.match(label, /^[A-Z][^_]+$/);
      assert.ok(described.title.length > 0 && described.columns.length > 0, described.name);
    }
  });

  it('takes little room: a console is sent it with its first page', () => {
    const text = JSON.stringify(describe(resources));
    assert.ok(text.length < 16_000, String(text.length));
  });

  it('makes words of names, and groups of objects, where nothing is declared', () => {
    const thing = defineResource({ ...base, display: { title: ['title'], columns: ['title'] } });
    const [described] = describe([thing]).resources;
    assert.equal(described?.singular, 'Old thing');
    assert.equal(described?.plural, 'Old things');
    assert.deepEqual(described?.groups, [
      { fields: ['title', 'is_rare', 'pictures'] },
      { heading: 'Owner', fields: ['owner.full_name', 'owner.phone1'] },
    ]);
    const labels = pluck(described?.fields ?? [], 'label');
    assert.deepEqual(labels, ['Title', 'Full name', 'Phone 1', 'Is rare', 'Pictures']);
  });

  it('says where a record has a field, and what the field takes', () => {
    const [described] = describe([defineResource(base)]).resources;
    const [title, name] = described?.fields ?? [];
    const ofTitle = { label: 'Title', kind: 'text', required: true };
    assert.deepEqual(title, { param: 'title', at: ['title'], ...ofTitle });
    const ofName = { label: 'Full name', kind: 'text', required_within: 'owner' };
    assert.deepEqual(name, { param: 'owner.full_name', at: ['owner', 'full_name'], ...ofName });
    assert.deepEqual(described?.fields[3]?.at, ['public_data', 'is_rare']);
    assert.equal(described?.images, 'pictures');
  });

  it('takes the declared words and groups, and puts what they do not name beside them', () => {
    const thing = defineResource({
      ...base,
      display: {
        singular: 'Heirloom',
        plural: 'Heirlooms',
        title: ['owner.full_name'],
        columns: ['title', 'external_identifier'],
        groups: { 'What it is': ['title', 'is_rare'], Whose: ['owner'] },
        labels: { 'owner.phone1': 'Phone', owner: 'Owned by' },
      },
    });
    const [described] = describe([thing]).resources;
    assert.equal(described?.plural, 'Heirlooms');
    assert.deepEqual(described?.groups, [
      { fields: ['pictures'] },
      { heading: 'What it is', fields: ['title', 'is_rare'] },
      { heading: 'Whose', fields: ['owner.full_name', 'owner.phone1'] },
    ]);
    assert.equal(described?.fields[2]?.label, 'Phone');
  });

  it('is refused where it names what no record has', () => {
    const shown = (display: object) => () =>
      defineResource({ ...base, display: { title: ['title'], columns: ['title'], ...display } });
    for (const display of [
      { title: ['name'] },
      { columns: ['title', 'owner'] },
      { groups: { Whose: ['owner.mail'] } },
      { labels: { 'owner.mail': 'Email' } },
    ]) {
      assert.throws(shown(display), /old_thing shows .*, which is not a field of it/);
    }
    assert.throws(
      () => defineResource({ ...base, search: { 'owner.mail': 'words' } }),
      /No field owner.mail/,
    );
  });
});
