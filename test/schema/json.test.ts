/** JSON bodies: strict, lossless, every fault with its place (decisions, Bodies and Requests). */

import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Fault, Faults } from '../../src/core/errors.ts';
import {
  canonicalNumber,
  parseJsonBody,
  parseStored,
  stringify,
} from '../../src/core/schema/json/json.ts';
import { isObject, type Json } from '../../src/core/schema/values.ts';
import { anyCharacter } from '../support/characters.ts';
import { parseJson } from '../support/parse-json.ts';

function read(body: string | Uint8Array): { value: Json | undefined; faults: readonly Fault[] } {
  const faults = new Faults();
  const value = parseJsonBody(typeof body === 'string' ? Buffer.from(body) : body, faults);
  return { value, faults: faults.named };
}

function faultsOf(body: string | Uint8Array): string[] {
  return read(body).faults.map(({ code, param }) =>
    param === undefined ? code : `${code} ${param}`,
  );
}

/** The byte that the only fault names. */
function offsetOf(body: string | Uint8Array, code: Fault['code']): number {
  const { value, faults } = read(body);
  const [fault] = faults;
  assert.ok(fault !== undefined && faults.length === 1);
  assert.deepEqual([value, fault.code, fault.param], [undefined, code, undefined]);
  const at = / at byte (\d+)/.exec(fault.message);
  assert.ok(at, fault.message);
  return Number(at[1]);
}

const ordinaryText = fc.string({ unit: anyCharacter }).map((text) => text.replaceAll('\0', ''));
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const key = fc.oneof(ordinaryText, fc.constantFrom('__proto__', 'constructor', 'toJSON', '', '0'));
const document = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(ordinaryText, number, fc.boolean(), fc.constant(null)),
    fc.array(tie('node'), { maxLength: 4 }),
    fc
      .uniqueArray(fc.tuple(key, tie('node')), { maxLength: 5, selector: ([name]) => name })
      .map((members) => Object.fromEntries(members)),
  ),
})).node;

/** Documents with one byte changed, most of them JSON no more. */
const spoiled = fc
  .tuple(document, fc.nat(), fc.constantFrom(...'{}[]:,"\\\\0e\n\xff'))
  .map(([value, at, character]) => {
    const bytes = Buffer.from(JSON.stringify(value));
    bytes[at % bytes.length] = character.charCodeAt(0);
    return bytes;
  });

describe('reading a JSON body', () => {
  it('gives the value that JSON.parse gives, but for the spelling of numbers, and its stored text does, too', () => {
    fc.assert(
      fc.property(document, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const { faults, value: made } = read(text);
        assert.deepEqual(faults, []);
        const stored = stringify(made as Json);
        assert.deepEqual(parseJson(stored), parseJson(text));
        assert.deepEqual(parseStored(stored), made);
      }),
    );
  });

  it('reads every number as the canonical one, on the short way as on the long one', () => {
    const part = fc.array(fc.constantFrom(...'0000123456789'), { minLength: 1, maxLength: 17 });
    const tail = fc.constantFrom('', '', '', 'e0', 'E-3', 'e+9');
    fc.assert(
      fc.property(
        fc.constantFrom('', '-'),
        part,
        fc.option(part),
        tail,
        (sign, whole, fraction, end) => {
          const integer = whole.join('').replace(/^0+(?=.)/, '');
          const token = `${sign}${integer}${fraction === null ? '' : `.${fraction.join('')}`}${end}`;
          assert.deepEqual(read(token), { value: canonicalNumber(token), faults: [] });
          assert.deepEqual(read(`{"a":[${token}]}`).value, { a: [canonicalNumber(token)] });
          assert.deepEqual(parseStored(`{"a":[1,${token}]}`), { a: [1, canonicalNumber(token)] });
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('keeps members of any name as own members', () => {
    const { value, faults } = read('{"__proto__":{"a":1},"constructor":2,"toJSON":3,"n":1e400}');
    assert.deepEqual(faults, []);
    assert.ok(isObject(value));
    assert.deepEqual(Object.keys(value), ['__proto__', 'constructor', 'toJSON', 'n']);
    assert.equal(stringify(value), '{"__proto__":{"a":1},"constructor":2,"toJSON":3,"n":1e+400}');
  });

  it('passes over one byte order mark', () => {
    assert.deepEqual(read('\ufeff{"a":1}'), { value: { a: 1 }, faults: [] });
    assert.deepEqual(faultsOf('\ufeff{"a":1,"a":2}'), ['parameter_repeated a']);
    assert.equal(offsetOf('\ufeff\ufeff{}', 'json_invalid'), 3);
  });

  it('never throws, and has a fault wherever it has no value', () => {
    const jsonish = fc
      .array(fc.constantFrom(...'{}[]:,"\\u0123.eE+- \ntruefalsnéx\0'))
      .map((characters) => Buffer.from(characters.join('')));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), jsonish, spoiled), (bytes) => {
        const { value, faults } = read(bytes);
        assert.equal(value === undefined, parsesAt(bytes) === undefined);
        if (value === undefined) assert.equal(faults.length, 1);
      }),
      { numRuns: 3000 },
    );
  });
});

function parsesAt(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

describe('a body that is no JSON', () => {
  it('is JSON as far as the byte that is named', () => {
    fc.assert(
      fc.property(spoiled, (bytes) => {
        fc.pre(isUtf8(bytes) && faultsOf(bytes)[0] === 'json_invalid');
        const offset = offsetOf(bytes, 'json_invalid');
        const [rest] = read(bytes.subarray(0, offset)).faults;
        if (rest?.code === 'json_invalid')
          assert.match(rest.message, new RegExp(` byte ${offset}: .* ends there`));
      }),
    );
  });

  for (const [body, offset] of [
    ['', 0],
    ['  ', 2],
    ['{', 1],
    ['{"a"', 4],
    ['{"a":', 5],
    ['{"a":1', 6],
    ['{"a":1,}', 7],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['{a:1}', 1],
    ["{'a':1}", 1],
    ['{"a" 1}', 5],
    ['{"é":é}', 6],
    ['{"a":nul}', 5],
    ['{"a":NaN}', 5],
    ['01', 1],
    ['-', 1],
    ['1.', 2],
    ['1e+', 3],
    ['"a\nb"', 2],
    ['"a\\x"', 3],
    ['"\\u12G4"', 5],
    ['"abc', 4],
    ['{} {}', 3],
    ['person=x', 0],
    ['{"a":1,"a":2', 12],
  ] as const) {
    it(`${JSON.stringify(body)} stops being JSON at byte ${offset}`, () => {
      assert.equal(offsetOf(body, 'json_invalid'), offset);
    });
  }

  it('is named with its first byte that is no UTF-8', () => {
    const broken = fc
      .tuple(fc.string({ unit: anyCharacter }), fc.uint8Array({ minLength: 1, maxLength: 6 }))
      .map(([text, bytes]) => Buffer.concat([Buffer.from(text), bytes]))
      .filter((bytes) => !isUtf8(bytes));
    fc.assert(
      fc.property(broken, (bytes) => {
        let valid = bytes.length;
        while (!isUtf8(bytes.subarray(0, valid))) valid -= 1;
        assert.equal(offsetOf(bytes, 'encoding_invalid'), valid);
      }),
    );
  });
});

describe('the depth of a body', () => {
  const nested = (levels: number) => `${'{"a":['.repeat(levels / 2)}${']}'.repeat(levels / 2)}`;

  it('is at most 32 levels, the body being the first', () => {
    assert.deepEqual(faultsOf(nested(32)), []);
    assert.deepEqual(faultsOf(nested(34)), [`nesting_too_deep ${'a.0.'.repeat(16).slice(0, -1)}`]);
    assert.deepEqual(faultsOf(`[${nested(32)}]`), [`nesting_too_deep 0.${'a.0.'.repeat(15)}a`]);
  });

  it('is not counted in strings, nor along', () => {
    assert.deepEqual(
      faultsOf(JSON.stringify({ a: '['.repeat(100), '{{{{': '\\"['.repeat(40) })),
      [],
    );
    assert.deepEqual(faultsOf(`[${Array(100).fill('[{}]')}]`), []);
  });

  it('comes first or second, as it stands in the text', () => {
    assert.deepEqual(faultsOf(`[${'['.repeat(40)}`), [
      `nesting_too_deep ${Array(32).fill(0).join('.')}`,
    ]);
    assert.deepEqual(faultsOf(`[x${'['.repeat(40)}`), ['json_invalid']);
  });
});

/** A document with keys that may be repeated and strangely written. */
type Tree = string | { list: Tree[] } | { members: [key: string, value: Tree][] };

describe('repeated keys (decisions, Requests: Duplicate keys in JSON)', () => {
  const writing = fc.constantFrom(
    ...[
      '"a"',
      '"b"',
      '"\\u0061"',
      '"\\/"',
      '"/"',
      '"\\n"',
      '"\\u000a"',
      '"__proto__"',
      '"0"',
      '""',
    ],
  );
  const tree = fc.letrec<{ node: Tree }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('1', '"a:b"', '1e400', '"\\":"', '{}', '[ ]'),
      fc.record({ list: fc.array(tie('node'), { maxLength: 3 }) }),
      fc.record({ members: fc.array(fc.tuple(writing, tie('node')), { maxLength: 4 }) }),
    ),
  })).node;

  const write = (node: Tree): string => {
    if (typeof node === 'string') return node;
    if ('list' in node) return `[${node.list.map(write).join(' , ')}]`;
    return `{${node.members.map(([name, value]) => `${name} : ${write(value)}`).join(',')}}`;
  };
  const repeats = (node: Tree, path: string[]): string[] => {
    if (typeof node === 'string') return [];
    if ('list' in node) return node.list.flatMap((one, at) => repeats(one, [...path, String(at)]));
    const names = node.members.map(([name]) => JSON.parse(name) as string);
    return node.members.flatMap(([, value], at) => {
      const here = [...path, names[at] as string];
      const again = names.indexOf(names[at] as string) < at;
      return [...(again ? [here.join('.')] : []), ...repeats(value, here)];
    });
  };

  it('are found at every depth, each with its path, and only they', () => {
    fc.assert(
      fc.property(tree, (node) => {
        const found = read(write(node)).faults.map(({ code, param }) => {
          assert.equal(code, 'parameter_repeated');
          return param;
        });
        assert.deepEqual(new Set(found), new Set(repeats(node, []).slice(0, 1000)));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('texts and numbers that cannot be kept', () => {
  it('are named with their paths, all at once', () => {
    const body = String.raw`{"a":{"b":["x","\u0000"]},"c":"\ud83d","d":"\ud83d\ude00","\udc00":1,"e":[1e1001,{"f":-1e-1001}],"g":1,"g":2}`;
    assert.deepEqual(faultsOf(body), [
      'parameter_repeated g',
      'text_invalid a.b.1',
      'text_invalid c',
      'text_invalid \ufffd',
      'number_out_of_range e.0',
      'number_out_of_range e.1.f',
    ]);
    assert.notEqual(read(body).value, undefined);
  });

  it('do not make the answer as long as the body', () => {
    const long = 'k'.repeat(100_000);
    const { faults } = read(`{"${long}":{"${long}":1,"${long}":2}}`);
    assert.equal(faults.length, 1);
    assert.ok(JSON.stringify(faults).length < 2000);
  });
});
