/** Form bodies: one strict reading, every fault with its place (decisions, Requests: Encodings, Form strictness). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Fault, Faults } from '../../src/core/errors.ts';
import { FormGroup, type FormNode, parseForm } from '../../src/core/schema/form/form.ts';

function read(body: string | Uint8Array): { form: FormGroup; faults: readonly Fault[] } {
  const faults = new Faults();
  const form = parseForm(typeof body === 'string' ? Buffer.from(body) : body, faults);
  return { form, faults: faults.named };
}

function faultsOf(body: string | Uint8Array): string[] {
  return read(body).faults.map(named);
}

function named({ code, param }: Fault): string {
  return param === undefined ? code : `${code} ${param}`;
}

function leaves(node: FormNode): number {
  if (typeof node === 'string') return 1;
  return [...node.members.values(), ...node.pushed].reduce((sum, one) => sum + leaves(one), 0);
}

describe('a form field', () => {
  it('may be spelled in every way that browsers and curl have', () => {
    const { form, faults } = read('a=x+y%20z w&&b&c=&é=%c3%A9é&d=1=2&+=%2B&');
    assert.deepEqual(faults, []);
    assert.deepEqual(Object.fromEntries(form.members), {
      a: 'x y z w',
      b: '',
      c: '',
      é: 'éé',
      d: '1=2',
      ' ': '+',
    });
  });

  it('is decoded before its brackets are read', () => {
    const { form } = read('person%5Bfull_name%5D=Ann&a[%5b=x&__proto__[constructor]=1');
    const person = form.members.get('person');
    assert.deepEqual(person instanceof FormGroup && [...person.members], [['full_name', 'Ann']]);
    const proto = form.members.get('__proto__');
    assert.deepEqual(proto instanceof FormGroup && [...proto.members], [['constructor', '1']]);
    assert.deepEqual(faultsOf('a%5Bb=x'), ['form_invalid a[b']);
  });

  for (const name of [
    ...['a[b', 'a[b]c', 'a]b', '[a]', 'a[b[c]]', '', 'a[]b', 'a[][b]', 'a[][]', 'a]', 'a[b]]'],
  ]) {
    it(`has no name like ${name || '""'}`, () => {
      assert.deepEqual(faultsOf(`${name}=x`), [`form_invalid ${name}`]);
    });
  }

  it('says what to send for a[][b]', () => {
    const [fault] = read('a[][b]=x').faults;
    assert.match(fault?.message ?? '', /without its index.*a\[0\]\[b\]/);
  });

  for (const text of ['%', 'x%4', '%G1', '%1G', '%%4', '% 41']) {
    it(`has no malformed percent-encoding like ${text}`, () => {
      assert.deepEqual(faultsOf(`a[b]=${text}`), ['form_invalid a.b']);
      assert.deepEqual(faultsOf(`a[]=1&a[]=${text}&c=1`), ['form_invalid a.1']);
      assert.deepEqual(faultsOf(`${text}=1`), [`form_invalid ${text}`]);
    });
  }

  for (const [body, offset] of [
    ['a=1&b[c]=x%20%C3(', 13],
    ['b[c]=%ff', 5],
    ['b[c]=%E2%82', 5],
    ['b[c]=+%ED%A0%80', 6],
  ] as const) {
    it(`has no broken UTF-8 in its value, as in ${body}`, () => {
      const [fault, ...others] = read(body).faults;
      assert.deepEqual(others, []);
      assert.deepEqual([fault?.code, fault?.param], ['encoding_invalid', undefined]);
      assert.match(fault?.message ?? '', new RegExp(`byte ${offset},.* b\\.c `));
    });
  }

  it('has no broken UTF-8 in its name, and none that is not percent-encoded', () => {
    const name = read('a=1&x%FFy=2').faults;
    assert.deepEqual(name.map(named), ['encoding_invalid']);
    assert.match(name[0]?.message ?? '', /byte 5,/);
    const raw = read(Buffer.from([0x61, 0x3d, 0x62, 0xe9, 0x26])).faults;
    assert.deepEqual(raw.map(named), ['encoding_invalid']);
    assert.match(raw[0]?.message ?? '', /byte 3,.* a /);
    assert.deepEqual(faultsOf(Buffer.from('a=\xe9=%C3\xa9', 'latin1')), ['encoding_invalid']);
    assert.deepEqual(faultsOf(Buffer.from('a=%C3\xa9', 'latin1')), []);
  });

  it('has no NUL character', () => {
    assert.deepEqual(faultsOf('a[b]=x%00&c=\0'), ['text_invalid a.b', 'text_invalid c']);
    assert.deepEqual(faultsOf('a%00b=x'), ['text_invalid a\ufffdb']);
  });

  it('is there even if its value is at fault, so that it does not seem missing', () => {
    const { form } = read('a=%FF&b=%&c=%00');
    assert.deepEqual(Object.fromEntries(form.members), { a: '\ufffd', b: '%', c: '\0' });
  });
});

describe('form fields that contradict each other', () => {
  for (const [body, fault] of [
    ['a=1&a=1', 'parameter_repeated a'],
    ['a=1&a=2&a=3', 'parameter_repeated a'],
    ['a[b]=1&a%5Bb]=2', 'parameter_repeated a.b'],
    ['a[0]=1&a[0]=2', 'parameter_repeated a.0'],
    ['person=x&person[full_name]=y', 'type_invalid person'],
    ['person[full_name]=y&person=x', 'type_invalid person'],
    ['a[b]=1&a[b][]=2', 'type_invalid a.b'],
    ['a[b][]=1&a[b]=2', 'type_invalid a.b'],
    ['a[]=1&a[0]=2', 'type_invalid a'],
    ['a[0]=1&a[]=2', 'type_invalid a'],
    ['a[]=1&a[b][c]=2', 'type_invalid a'],
    ['a=1&a[]=2', 'type_invalid a'],
  ] as const) {
    it(`${body} is ${fault}`, () => {
      assert.deepEqual(faultsOf(body), [fault]);
    });
  }

  it('are all named at once', () => {
    assert.deepEqual(faultsOf('a=1&a=2&b[=3&c[d]=%&%FF=5&c=1'), [
      'parameter_repeated a',
      'form_invalid b[',
      'form_invalid c.d',
      'encoding_invalid',
      'type_invalid c',
    ]);
  });
});

describe('the depth of a form', () => {
  it('is at most 32 levels, the body being the first', () => {
    assert.deepEqual(faultsOf(`a${'[b]'.repeat(31)}=x`), []);
    assert.deepEqual(faultsOf(`a${'[b]'.repeat(30)}[]=x`), []);
    const path = `a${'.b'.repeat(31)}`;
    assert.deepEqual(faultsOf(`a${'[b]'.repeat(32)}=x`), [`nesting_too_deep ${path}`]);
    assert.deepEqual(faultsOf(`a${'[b]'.repeat(31)}[]=x`), [`nesting_too_deep ${path}`]);
  });
});

describe('any bytes as a form', () => {
  const formish = fc
    .array(fc.constantFrom(...'aab[[]]&&==%%4+ 0', '[]', '[0]', '%5B', '%c3%a9', '\xe9'), {
      maxLength: 30,
    })
    .map((parts) => Buffer.from(parts.join(''), 'latin1'));

  it('lose no field without a fault', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), formish), (bytes) => {
        const { form, faults } = read(bytes);
        const sent = Buffer.from(bytes)
          .toString('latin1')
          .split('&')
          .filter((pair) => pair !== '');
        if (faults.length === 0) assert.equal(leaves(form), sent.length);
        else assert.ok(leaves(form) <= sent.length);
      }),
      { numRuns: 3000 },
    );
  });

  it('without brackets and faults are what URLSearchParams reads', () => {
    fc.assert(
      fc.property(formish, (bytes) => {
        fc.pre(!/[[\]]|%5B/.test(bytes.toString('latin1')) && faultsOf(bytes).length === 0);
        const others = new URLSearchParams(bytes.toString());
        assert.deepEqual([...read(bytes).form.members], [...others]);
      }),
    );
  });
});
