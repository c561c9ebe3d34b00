/** A registry of shapes that is nobody's product: what the promises of a store are proved with. */
import type {
  ContentShape,
  ObjectShape,
  RecordShape,
  Shape,
  ValueShape,
} from '../../src/core/schema/shape.ts';

const value: ValueShape = { is: 'value' };

function content(param: string, maxBytes: number): ContentShape {
  return { is: 'content', param, maxBytes };
}

function object(
  members: Readonly<Record<string, Shape>>,
  more: Partial<Pick<ObjectShape, 'stays' | 'needs'>> = {},
): ObjectShape {
  return {
    is: 'object',
    members: new Map(Object.entries(members)),
    stays: false,
    needs: [],
    ...more,
  };
}

/** The root: what accounts are elsewhere. */
export const owner: RecordShape = {
  resource: 'owner',
  parent: undefined,
  prefix: 'own_',
  document: object({ name: value }, { stays: true }),
  keys: [{ name: 'name', path: ['name'], as: 'folded', for: 'order' }],
  searched: [{ name: 'name', path: ['name'], as: 'words' }],
};

/** The anchor. */
export const place: RecordShape = {
  resource: 'place',
  parent: { resource: 'owner', param: 'owner_unique_identifier' },
  prefix: 'plc_',
  document: object({ title: value, notes: content('notes', 1_000) }, { stays: true }),
  keys: [{ name: 'title', path: ['title'], as: 'folded', for: 'order' }],
  searched: [{ name: 'title', path: ['title'], as: 'words' }],
};

/** Has every kind of member, and no declared key. */
export const thing: RecordShape = {
  resource: 'thing',
  parent: { resource: 'place', param: 'place_unique_identifier' },
  prefix: 'thg_',
  redacts: { label: 'Erased', maker: null, extra: null },
  document: object(
    {
      label: value,
      tags: value,
      price: value,
      currency: value,
      maker: object({ name: value, address: object({ city: value }) }),
      always: object({ note: value }, { stays: true }),
      extra: content('extra', 100_000),
    },
    { stays: true, needs: [{ whenever: 'price', needed: 'currency', param: 'currency' }] },
  ),
  keys: [],
};

/** Its keys may be absent, and its name breaks SQL that does not quote names. */
export const visit: RecordShape = {
  resource: 'visit "order"',
  parent: { resource: 'thing', param: 'thing_unique_identifier' },
  prefix: 'vis_',
  document: object(
    { person: object({ name: value, phone: value, welcome: value }) },
    { stays: true },
  ),
  keys: [
    { name: 'person', path: ['person', 'name'], as: 'folded', for: 'order' },
    { name: 'phone', path: ['person', 'phone'], as: 'plain', for: 'filter' },
    { name: 'welcome', path: ['person', 'welcome'], as: 'true', for: 'filter' },
  ],
  searched: [
    { name: 'person.name', path: ['person', 'name'], as: 'words' },
    { name: 'person.phone', path: ['person', 'phone'], as: 'digits' },
  ],
};

export const shapes: readonly RecordShape[] = [owner, place, thing, visit];
