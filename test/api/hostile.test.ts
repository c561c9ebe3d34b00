/** Input that comes from a broken exporter or means harm, and whatever else is sent: refused by name, or kept exactly (decisions, "Strings"), never a 5xx. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ALL } from '../support/all.ts';
import { examples, formOf } from '../support/bodies.ts';
import { anyCharacter } from '../support/characters.ts';
import { parseJson } from '../support/parse-json.ts';
import { faultsOf, optionalsOf, play, type Scenario } from '../support/scenario.ts';
import type { Answer, Body } from '../support/service.ts';
import { leastOf, world } from '../support/world.ts';

/** Names that plain objects of JavaScript have already, or that its machinery looks for. */
const oddNames = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty'],
  ...['toJSON', 'then', 'rawJSON', 'length', '__defineGetter__', '__lookupSetter__'],
  ...['isPrototypeOf', 'propertyIsEnumerable', '', ' ', '0', '-1', '4294967295', '1e3', 'null'],
  ...['undefined', 'NaN', '$where', '$ref', '.', 'a.b', 'a[b]', '[]', '"', '\\', '\n', '\u007f'],
  ...['\ufeff', '\u2028', 'é', 'e\u0301', '🕯', 'public_data', 'object', 'additional_data'],
];

/** One text for equal values: members sorted by name, whatever their names. */
function canonical(value: Body): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value === 0 ? 0 : value);
  const members = Object.keys(value)
    .sort()
    .map(
      (name) =>
        `${JSON.stringify(name)}:${canonical(Object.getOwnPropertyDescriptor(value, name)?.value)}`,
    );
  return `{${members.join(',')}}`;
}

/** Nothing that was sent may have got into what all objects share: service and test are one process. */
function assertUnpolluted(): void {
  assert.equal(({} as Body).polluted, undefined);
  assert.ok(!Object.hasOwn(Object.prototype, 'polluted'));
}

const stage = world();
const on = 'online_arrangements';
const UPSERT = `/v1/${on}/upsert`;
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';

const send = (body: string | Uint8Array, type: string, path = UPSERT): Promise<Answer> =>
  stage.service.send('POST', path, { body, headers: { 'Content-Type': type } });
const bytes = (start: string, sequence: number[], end: string): Uint8Array =>
  Buffer.concat([Buffer.from(start), Buffer.from(sequence), Buffer.from(end)]);

describe('what is not UTF-8 is 400, with the byte offset and no param', () => {
  const broken: readonly (readonly [rule: string, sequence: number[], into: number])[] = [
    ['a lone continuation byte', [0x80], 0],
    ['after what is well', [0xc3, 0xa9, 0xff], 2],
  ];
  const check = (answer: Answer, offset: number): void => {
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(faultsOf(answer)[0], [undefined, 'encoding_invalid']);
    assert.match(answer.body.error.message, new RegExp(`\\b${offset}\\b`));
    assert.ok(!answer.text.includes('\ufffd'));
  };
  for (const [rule, sequence, into] of broken) {
    it(rule, async () => {
      // In a value and in a key of JSON.
      for (const start of ['{"cart_summary":"', '{"additional_data":{"', '{"'])
        check(await send(bytes(start, sequence, '":1}'), JSON_TYPE), start.length + into);
      // Raw and percent-encoded, in a value and in a name of a form.
      const escaped = sequence.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
      const least = `${formOf(JSON.parse(stage.text(on, { location_unique_identifier: 'x' })))}&`;
      for (const start of [`${least}additional_data[a]=`, `${least}additional_data[`]) {
        const end = start.endsWith('=') ? '' : ']=1';
        check(await send(bytes(start, sequence, end), FORM), start.length + into);
        check(await send(`${start}${escaped}${end}`, FORM), start.length + into * 3);
      }
    });
  }

  it('in a query string', async () => {
    for (const path of [`${UPSERT}?a=%ff`, '/v1/locations?limit=%ff', '/v1/locations?%ff=1']) {
      const answer = await stage.service.send(path.startsWith('/v1/l') ? 'GET' : 'POST', path);
      assert.equal(answer.status, 400);
      assert.equal(answer.body.error.code, 'encoding_invalid');
    }
  });

  it('other encodings are never guessed', async () => {
    const text = stage.text(on, { cart_summary: 'Zoë' });
    const utf16 = [text, `\ufeff${text}`].map((one) => Buffer.from(one, 'utf16le'));
    for (const body of [Buffer.from(text, 'latin1'), ...utf16])
      assert.equal((await send(body, JSON_TYPE)).status, 400);
  });
});

describe('NUL characters and lone surrogates are 400, and named', () => {
  const data = 'additional_data';
  const named = (...params: string[]) => params.map((param) => [param, 'text_invalid'] as const);
  const flaws = { 'a NUL': '\\u0000', 'a pair in the wrong order': '\\udd6f\\ud83d' };
  for (const [what, flaw] of Object.entries(flaws)) {
    const scenario = (where: string, json: string, ...params: string[]): Scenario => ({
      rule: `${what} ${where}`,
      on,
      json,
      faults: named(...params),
      lacks: ['\0'],
    });
    const replaced = '\ufffd'.repeat(flaw.length / 6);
    const both = `{"a":"${flaw}","b":"${flaw}"}`;
    const person = 'additional_person_metadata';
    play(stage, [
      scenario('in a documented text', `"${person}":{"gender":"a${flaw}"}`, `${person}.gender`),
      scenario('in a value of content', `"${data}":{"a":["${flaw}b"]}`, `${data}.a.0`),
      scenario('in a key', `"${data}":{"a":{"k${flaw}":1}}`, `${data}.a.k${replaced}`),
      scenario('in several places', `"${data}":${both}`, `${data}.a`, `${data}.b`),
    ]);
  }
  play(stage, on, [
    {
      rule: 'a NUL in an unknown field',
      json: { 'x\0': 1 },
      status: 400,
      lacks: ['\\u0000', '\0'],
    },
    { rule: 'a NUL by form, in a value', form: `${data}[a]=%00`, faults: named(`${data}.a`) },
    {
      rule: 'a pair of surrogates is a character',
      json: '"additional_data":{"\\ud83d\\udd6f":"\\ud83d\\udd6f"}',
      gives: { additional_data: { '🕯': '🕯' } },
    },
    {
      rule: 'a backslash before u0000 is no NUL',
      json: '"additional_data":{"a":"\\\\u0000"}',
      gives: { additional_data: { a: '\\u0000' } },
    },
  ]);
});

describe('a byte order mark', () => {
  it('before a JSON body is passed over', async () => {
    const answer = await send(`\ufeff${stage.text(on, {}, 'marked')}`, JSON_TYPE);
    assert.equal(answer.status, 200, answer.text);
  });

  it('before a form is part of its first name', async () => {
    const answer = await stage.service.form(UPSERT, `\ufeff${formOf({ ...leastOf(on) })}`);
    assert.equal(answer.status, 400);
  });
});

describe('odd names', () => {
  const content = (value: (name: string) => string): string =>
    `{${oddNames.map((name) => `${JSON.stringify(name)}:${value(name)}`).join(',')}}`;

  it('are kept exactly in free-form content, at every depth, and after a second merge', async () => {
    const flat = content(() => '{"polluted":"yes"}');
    const text = `{"flat":${flat},"list":[${flat}],"__proto__":${flat}}`;
    const first = await stage.upsert(on, { json: `"additional_data":${text}`, as: 'odd' });
    assert.equal(first.status, 200, first.text);
    assert.equal(canonical(first.body.additional_data), canonical(parseJson(text)));
    const again = await stage.upsert(on, { json: `"additional_data":${text}`, as: 'odd' });
    assert.equal(again.headers.get('ledgerstone-outcome'), 'unchanged');

    const change = '{"__proto__":{"more":1},"constructor":null,"toJSON":{"polluted":null}}';
    const merged = await stage.upsert(on, {
      json: `"additional_data":{"flat":${change},"__proto__":${change}}`,
      as: 'odd',
    });
    const changed = flat
      .replace('"__proto__":{"polluted":"yes"}', '"__proto__":{"polluted":"yes","more":1}')
      .replace('"constructor":{"polluted":"yes"},', '')
      .replace('"toJSON":{"polluted":"yes"}', '"toJSON":{}');
    assert.equal(
      canonical(merged.body.additional_data),
      canonical(parseJson(`{"flat":${changed},"list":[${flat}],"__proto__":${changed}}`)),
    );
    assertUnpolluted();
  });

  it('are kept in additional_metadata', async () => {
    const text = content((name) => JSON.stringify(name));
    const json = `"additional_metadata":${text}`;
    const { body } = await stage.upsert('direct_mail_replies', { json });
    assert.equal(canonical(body.public_data.additional_metadata), canonical(parseJson(text)));
  });

  it('are kept by form', async () => {
    const named = oddNames.filter((name) => name !== '' && !/[[\]]/.test(name));
    const form = named.map((name) => `additional_data[${encodeURIComponent(name)}][x]=1`).join('&');
    const answer = await stage.upsert(on, { form });
    assert.equal(answer.status, 200, answer.text);
    const members = named.map((name) => `${JSON.stringify(name)}:{"x":"1"}`);
    assert.equal(canonical(answer.body.additional_data), canonical(parseJson(`{${members}}`)));
    assertUnpolluted();
  });

  const inherited = '__proto__ constructor prototype toString hasOwnProperty toJSON then valueOf';
  const fields = [...inherited.split(' '), '', ' ', '0'];
  for (const name of fields) {
    it(`${JSON.stringify(name)} is an unknown field, of the body and of documented objects`, async () => {
      const text = JSON.stringify(name);
      for (const value of ['1', 'null', '{"cart_summary":"x","full_name":"x"}', '[]', '""']) {
        const top = await stage.upsert(on, { json: `${text}:${value}` });
        assert.deepEqual(faultsOf(top), [[name, 'parameter_unknown']]);
        const json = `"person":{"full_name":"A",${text}:${value}}`;
        const inside = await stage.upsert('events', { json });
        assert.deepEqual(faultsOf(inside), [[`person.${name}`, 'parameter_unknown']]);
      }
      if (name.trim() === '') return;
      const form = await stage.upsert(on, { form: `${name}[a]=1` });
      assert.deepEqual(faultsOf(form), [[name, 'parameter_unknown']]);
    });

    it(`${JSON.stringify(name)} is harmless where unknown fields are ignored`, async () => {
      const headers = { 'Ledgerstone-Unknown-Fields': 'ignore' };
      const value = '{"polluted":"yes","cart_summary":"x","full_name":"B"}';
      const member = `${JSON.stringify(name)}:${value}`;
      const json = `${member},"person":{"full_name":"A",${member}}`;
      const answer = await stage.upsert('events', { headers, json });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(optionalsOf('events', answer.body), { person: { full_name: 'A' } });
      assertUnpolluted();
    });
  }

  it('no required field is taken from what every object inherits', async () => {
    const inherits = '{"__proto__":{"event_name":"x","external_identifier":"x"}}';
    const answer = await stage.service.json('/v1/events/upsert', inherits);
    assert.equal(answer.status, 400);
    assert.equal(faultsOf(answer).filter(([, code]) => code === 'parameter_missing').length, 4);
  });
});

/** What is refused is refused before a store is asked: on PostgreSQL a few show that it is wired alike. */
const REFUSED = ALL || process.env.TEST_STORE !== 'postgres' ? 200 : 10;

describe('whatever is sent', () => {
  /** RFC 7396, as its section 2 has it; nulls in arrays stay. */
  const mergePatch = (target: Body, patch: Body): Body => {
    if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
    const result: Map<string, Body> = new Map(
      typeof target === 'object' && target !== null && !Array.isArray(target)
        ? Object.entries(target)
        : [],
    );
    for (const [name, value] of Object.entries(patch)) {
      if (value === null) result.delete(name);
      else result.set(name, mergePatch(result.get(name), value));
    }
    return Object.fromEntries(result);
  };
  const json = fc.jsonValue({ maxDepth: 6, noUnicodeString: false, stringUnit: anyCharacter });
  const key = fc.oneof(
    fc.constantFrom(...oddNames),
    fc.string({ unit: anyCharacter, maxLength: 8 }),
  );
  const storable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
  // JSON.stringify escapes NUL characters and lone surrogates, and nothing else in this way.
  const content = fc
    .dictionary(key, json, { maxKeys: 8, noNullPrototype: false })
    .filter((value) => !/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(value)));

  it('free-form content comes back exactly, but for what its nulls remove, and merges by RFC 7396', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(content, content, async (first, second) => {
        count += 1;
        const as = `property ${count}`;
        const upsert = (data: unknown) =>
          stage.upsert(on, { json: `"additional_data":${JSON.stringify(data)}`, as });
        const created = await upsert(first);
        assert.equal(created.status, 200, created.text);
        const kept = mergePatch({}, parseJson(JSON.stringify(first)));
        assert.equal(canonical(created.body.additional_data ?? {}), canonical(kept));
        const merged = await upsert(second);
        const expected = mergePatch(kept, parseJson(JSON.stringify(second)));
        assert.equal(canonical(merged.body.additional_data ?? {}), canonical(expected));
        const outcome = canonical(kept) === canonical(expected) ? 'unchanged' : 'updated';
        assert.equal(merged.headers.get('ledgerstone-outcome'), outcome);
        const again = await upsert(second);
        assert.equal(again.headers.get('ledgerstone-outcome'), 'unchanged');
        assert.deepEqual(again.body, merged.body);
      }),
      { numRuns: 100 },
    );
    assertUnpolluted();
  });

  const types = fc.constantFrom(JSON_TYPE, FORM);
  const paths = fc.constantFrom(...examples.map(({ path }) => `/v1/${path}/upsert`));
  const clean = async (path: string, type: string, body: string | Uint8Array): Promise<void> => {
    const answer = await send(body, type, path);
    assert.ok(answer.status >= 400 && answer.status < 500, answer.text);
    assert.ok(answer.body.error.errors.length > 0);
  };

  it('arbitrary bytes get a clean 4xx', () =>
    fc.assert(fc.asyncProperty(paths, types, fc.uint8Array({ maxLength: 200 }), clean), {
      numRuns: REFUSED,
    }));
  it('arbitrary JSON gets a clean 4xx', () => {
    const text = fc.jsonValue().map((value) => JSON.stringify(value));
    const property = fc.asyncProperty(paths, fc.constant(JSON_TYPE), text, clean);
    return fc.assert(property, { numRuns: REFUSED / 2 });
  });

  it('whatever looks like a form gets a clean 4xx', () => {
    const names = 'image_urls person additional_data é __proto__';
    const tokens = `a [ ] = & % %5B %5D %00 %ff + 0 1 [] [0] ${names}`.split(' ');
    const token = fc.constantFrom(...tokens);
    const form = fc.array(token, { maxLength: 30 }).map((tokens) => tokens.join(''));
    return fc.assert(fc.asyncProperty(paths, fc.constant(FORM), form, clean), { numRuns: REFUSED });
  });

  it('bodies that are broken in one place are never a 5xx', async () => {
    const whole = Buffer.from(
      stage.text(on, { additional_data: { a: [1, 'é', { b: null }], c: 1.5 } }, 'broken'),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, byte) => {
        const body = Buffer.from(whole);
        body[at] = byte;
        assert.ok((await send(body, JSON_TYPE)).status < 500);
        assert.ok((await send(whole.subarray(0, at), JSON_TYPE)).status === 400);
      }),
      { numRuns: 100 },
    );
  });

  it('any text at all in any text field comes back, or is refused by name', async () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(text, async (cart_summary) => {
        const answer = await stage.upsert(on, { json: { cart_summary }, as: 'text' });
        if (answer.status === 200) assert.equal(answer.body.cart_summary, cart_summary);
        else assert.equal(faultsOf(answer)[0]?.[0], 'cart_summary');
        const refused = !storable(cart_summary) || /^\p{White_Space}*$/u.test(cart_summary);
        assert.equal(answer.status, refused ? 400 : 200);
      }),
      { numRuns: 100 },
    );
  });
});
