/** Arrays and free-form objects in forms (decisions, Requests: Encodings). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Faults } from '../../src/core/errors.ts';
import {
  FormGroup,
  formContent,
  formElements,
  parseForm,
} from '../../src/core/schema/form/form.ts';
import { anyCharacter } from '../support/characters.ts';

type Plain = string | Plain[] | { [member: string]: Plain };

interface Made {
  readonly value: unknown;
  readonly faults: string[];
}

/** What `make` gives for the field `data` of a form that can be read. */
function made(
  body: string,
  make: (group: FormGroup, path: string, faults: Faults) => unknown,
): Made {
  const faults = new Faults();
  const group = parseForm(Buffer.from(body), faults).members.get('data');
  assert.deepEqual(faults.named, []);
  assert.ok(group instanceof FormGroup);
  const value = make(group, 'data', faults);
  return { value, faults: faults.named.map(({ code, param }) => `${code} ${param}`) };
}

const content = (body: string) => made(body, formContent);
const elements = (body: string) => made(body, formElements);

describe('a declared array in a form', () => {
  it('is pushed to, or has indices in any order', () => {
    assert.deepEqual(elements('data[]=x&data[]=y'), { value: ['x', 'y'], faults: [] });
    assert.deepEqual(elements('data[1]=y&data[0]=x'), { value: ['x', 'y'], faults: [] });
  });

  for (const names of [
    ...['[1]', '[0] [2]', '[0] [x]', '[00]', '[-1]'],
    ...['[1e0]', '[99999999999999999999]', '[0] [x][y]'],
  ]) {
    it(`is not made of ${names}`, () => {
      const body = names.split(' ').map((name) => `data${name}=x`);
      assert.deepEqual(elements(body.join('&')), {
        value: undefined,
        faults: ['type_invalid data'],
      });
    });
  }
});

describe('free-form content in a form', () => {
  for (const [body, value] of [
    ['data[0]=x', { 0: 'x' }],
    ['data[a][0]=x&data[a][1]=y', { a: ['x', 'y'] }],
    ['data[a][1][b]=x&data[a][0]=y', { a: ['y', { b: 'x' }] }],
    ['data[a][]=x&data[a][]=', { a: ['x', ''] }],
    ['data[a][0]=x&data[a][b]=y', { a: { 0: 'x', b: 'y' } }],
    ['data[a][01]=x', { a: { '01': 'x' } }],
    ['data[__proto__][x]=1', JSON.parse('{"__proto__":{"x":"1"}}')],
  ] as const) {
    it(`${body} is ${JSON.stringify(value)}`, () => {
      assert.deepEqual(content(body), { value, faults: [] });
    });
  }

  it('has dense indices below its own level, and names at it', () => {
    assert.deepEqual(content('data[a][1]=x').faults, ['type_invalid data.a']);
    assert.deepEqual(content('data[a][0][2]=x&data[b][9]=x').faults, [
      'type_invalid data.a.0',
      'type_invalid data.b',
    ]);
    assert.deepEqual(content('data[]=x').faults, ['type_invalid data']);
  });

  const text = fc.string({ unit: anyCharacter }).map((one) => one.replaceAll('\0', ' '));
  const name = fc.oneof(
    text.map((one) => `_${one.replaceAll(/[[\]]/g, '(')}`),
    fc.constantFrom('__proto__', 'a', '01', '+', '%41', '&=;'),
  );
  const tree = fc.letrec<{ node: Plain; members: { [member: string]: Plain } }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
      tie('members'),
    ),
    members: fc
      .uniqueArray(fc.tuple(name, tie('node')), {
        minLength: 1,
        maxLength: 4,
        selector: ([one]) => one,
      })
      .map((members) => Object.fromEntries(members)),
  })).members;

  const fields = (path: string, node: Plain, push: boolean): [name: string, value: string][] => {
    if (typeof node === 'string') return [[path, node]];
    if (!Array.isArray(node)) {
      return Object.entries(node).flatMap(([key, one]) => fields(`${path}[${key}]`, one, push));
    }
    const pushed = push && node.every((one) => typeof one === 'string');
    return node.flatMap((one, at) => fields(pushed ? `${path}[]` : `${path}[${at}]`, one, push));
  };
  /** Escapes what must be, and what `dice` says besides. */
  const encode = (whole: string, dice: () => number): string =>
    Array.from(whole, (character) => {
      if (character === ' ') return [' ', '+', '%20'][dice() % 3];
      if (!/[%+&=]/.test(character) && dice() % 3 > 0) return character;
      return Array.from(
        Buffer.from(character),
        (byte) => `%${byte.toString(16).padStart(2, '0')}`,
      ).join('');
    }).join('');

  it('comes back as it was encoded', () => {
    fc.assert(
      fc.property(tree, fc.boolean(), fc.infiniteStream(fc.nat(99)), (value, push, stream) => {
        const dice = () => stream.next().value as number;
        const pairs = fields('data', value, push).map(
          ([path, one]) => `${encode(path, dice)}=${encode(one, dice)}`,
        );
        // What is pushed keeps its order; everything else may come in any.
        if (!push) pairs.sort(() => (dice() % 2) - 0.5);
        assert.deepEqual(content(pairs.join('&')), { value, faults: [] });
      }),
    );
  });
});
