/** Bodies of 1 MiB that are made to be slow: reading takes time linear in their size, and the faults stay short. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Faults } from '../../src/core/errors.ts';
import {
  FormGroup,
  formContent,
  formElements,
  parseForm,
} from '../../src/core/schema/form/form.ts';
import { parseJsonBody } from '../../src/core/schema/json/json.ts';

const fill = (unit: string) => unit.repeat(2 ** 20 / unit.length);
const numbered = (unit: (at: number) => string) =>
  Array.from({ length: 60_000 }, (_, at) => unit(at)).join('');

describe('hostile bodies of 1 MiB', () => {
  const bodies: Record<string, string> = {
    'open brackets': fill('['),
    'closed brackets': fill('[') + fill(']'),
    'one key again and again': `{${fill('"a":1,')}"a":1}`,
    'a repeated key far down a long path': `{"${'k'.repeat(480)}":[${fill('{"a":1,"a":1},')}1]}`,
    'keys repeated in pairs': `{${numbered((at) => `"${at}":1,"${at}":1,`)}"a":1}`,
    'many keys': `{${numbered((at) => `"${at * 7919}":1,`)}"a":1}`,
    'many keys, unclosed': `{${numbered((at) => `"k${at}":1,`)}`,
    escapes: `"${fill('\\u0041')}"`,
    'lone surrogates': `[${fill('"\\ud800",')}1]`,
    quotes: fill('"'),
    'a long number': `1${fill('0')}1`,
    'numbers with exponents': `[${fill('1e5,')}1]`,
    'numbers out of range': `[${fill('1e9999,')}1]`,
    'white space': fill(' '),
  };
  for (const [name, body] of Object.entries(bodies)) {
    it(`${name} take linear time`, () => {
      const start = performance.now();
      const faults = new Faults();
      parseJsonBody(Buffer.from(body), faults);
      // Linear is a tenth of a second here; quadratic is minutes.
      assert.ok(performance.now() - start < 3000);
      assert.ok(JSON.stringify(faults.named).length < 200_000);
    });
  }
});

describe('hostile forms of 1 MiB', () => {
  const bodies: Record<string, string> = {
    'many brackets': `a${fill('[b]')}`,
    'open brackets': `a${fill('[')}`,
    'one field again and again': fill('a=1&'),
    'names alone': fill('a&'),
    'nothing but separators': fill('&') + fill('='),
    'a far index': numbered((at) => `a[${999999999 - at}]=&`),
    'one long index': `a[${fill('9')}]=x`,
    'deep fields': fill(`a${'[b]'.repeat(31)}=&`),
    'deep fields repeated': numbered((at) => `a${'[b]'.repeat(4)}[${at % 10}]=&`),
    'percent signs': fill('%'),
    'bad values': fill('a=%ff&'),
    'a late bad byte': `a=${fill('%41')}%ff`,
    'many gaps': numbered((at) => `a[x${at}][5]=&`),
    'a long name again and again': fill(`${'k'.repeat(480)}=&`),
  };
  for (const [name, body] of Object.entries(bodies)) {
    it(`with ${name} take linear time`, () => {
      const start = performance.now();
      const faults = new Faults();
      const field = parseForm(Buffer.from(body), faults).members.get('a');
      if (field instanceof FormGroup) formContent(field, 'a', faults);
      if (field instanceof FormGroup) formElements(field, 'a', faults);
      // Linear is a tenth of a second here; quadratic is minutes.
      assert.ok(performance.now() - start < 3000);
      assert.ok(JSON.stringify(faults.named).length < 200_000);
    });
  }
});
