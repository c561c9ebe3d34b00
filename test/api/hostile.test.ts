/** Input that comes from a broken exporter or means harm: refused by name, or kept exactly (decisions, "Strings"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formOf } from '../support/bodies.ts';
import { assertUnpolluted, canonical, oddNames } from '../support/odd.ts';
import { parseJson } from '../support/parse-json.ts';
import { faultsOf, optionalsOf, play, type Scenario } from '../support/scenario.ts';
import type { Answer } from '../support/service.ts';
import { leastOf, world } from '../support/world.ts';

const stage = world();
const on = 'online_arrangements';
const UPSERT = `/v1/${on}/upsert`;
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';

const send = (body: string | Uint8Array, type: string): Promise<Answer> =>
  stage.service.send('POST', UPSERT, { body, headers: { 'Content-Type': type } });
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
