/** Numbers are read, shown and sent by the client as they came, on runtimes with and without `JSON.rawJSON`; none is silently another one. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  ExactNumber,
  Ledgerstone,
  parseJson,
  toJson,
  verifyWebhook,
} from '../../client/src/index.ts';
import { all, clientOf } from '../support/client.ts';
import { keyed } from '../support/secret-key.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';
import { jsonObject, numberToken } from '../support/values.ts';
import { type Received, startReceiver } from '../support/webhook-receiver.ts';
import { world } from '../support/world.ts';

/** Texts that look like numbers, escapes and quotes, which are no numbers. */
const text = fc
  .oneof(
    fc.string({
      unit: fc.constantFrom(
        '"',
        '\\',
        ':',
        ',',
        '[',
        '1',
        '.',
        '0',
        'e',
        '-',
        ' ',
        '\n',
        'é',
        '\u{1f56f}',
        '\u2028',
      ),
    }),
    numberToken,
  )
  .map((one) => JSON.stringify(one));
const compact = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    numberToken,
    text,
    fc.constantFrom('true', 'false', 'null'),
    fc.array(tie('value'), { maxLength: 4 }).map((all) => `[${all.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(text, tie('value')), {
        maxLength: 4,
        // Names that are numbers come first in JavaScript, whatever the text says.
        selector: ([name]) => name,
      })
      .map((all) => all.filter(([name]) => !/^"\d+"$/.test(name)))
      .map((all) => `{${all.map((one) => one.join(':')).join(',')}}`),
  ),
})).value;

/** Node 20, and whatever else has none. */
function withoutRawJson<T>(work: () => T): T {
  const { rawJSON } = JSON;
  Object.assign(JSON, { rawJSON: undefined });
  try {
    return work();
  } finally {
    Object.assign(JSON, { rawJSON });
  }
}

const EVERYWHERE = [
  ['with JSON.rawJSON', <T>(work: () => T) => work()],
  ['without it', withoutRawJson],
] as const;

describe('JSON that is read and written again', () => {
  for (const [where, on] of EVERYWHERE) {
    it(`is the same text, ${where}`, () => {
      fc.assert(
        fc.property(compact, (sent) => on(() => assert.equal(toJson(parseJson(sent)), sent))),
        { numRuns: 2_000 },
      );
    });

    it(`is the same in lines, with blanks, and as a part of something else, ${where}`, () => {
      fc.assert(
        fc.property(compact, fc.integer({ min: 1, max: 4 }), (sent, indent) =>
          on(() => {
            const value = parseJson(sent);
            const broken = toJson({ of: [value, 1] }, indent);
            assert.equal(toJson(parseJson(broken)), `{"of":[${sent},1]}`);
          }),
        ),
      );
    });
  }

  it('has a plain number where JavaScript prints it as it stands there, and nowhere else', () => {
    fc.assert(
      fc.property(numberToken, (sent) => {
        const [value] = parseJson(`[${sent}]`) as readonly unknown[];
        if (String(Number(sent)) === sent) assert.equal(value, Number(sent));
        else {
          assert.ok(value instanceof ExactNumber);
          assert.equal(`${value}`, sent);
          assert.deepEqual(value, new ExactNumber(sent));
        }
      }),
    );
  });

  it('is refused where JSON.parse refuses it', () => {
    const broken = fc.oneof(
      fc.constantFrom(
        '01',
        '1.',
        '.5',
        '+1',
        '-',
        '1e',
        '{1.10:2}',
        '[1.10',
        '{"a":1e400',
        '"1.10',
        '',
        '0x1',
        'NaN',
      ),
      fc.tuple(compact, fc.nat()).map(([sent, at]) => sent.slice(0, at % (sent.length + 1))),
    );
    const outcome = (read: () => unknown) => {
      try {
        return typeof read();
      } catch (error) {
        return (error as Error).name;
      }
    };
    fc.assert(
      fc.property(broken, (sent) => {
        const plain = outcome(() => JSON.parse(sent));
        const own = outcome(() => parseJson(sent));
        assert.equal(own === 'SyntaxError', plain === 'SyntaxError', sent);
      }),
    );
  });

  it('is as JSON.stringify writes it where nothing is exact', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.equal(toJson(value), JSON.stringify(value));
        assert.equal(toJson(value, 2), JSON.stringify(value, null, 2));
      }),
    );
    const loop: { self?: unknown } = {};
    loop.self = loop;
    assert.throws(() => toJson(loop), TypeError);
  });
});

describe('an exact number', () => {
  const [number] = parseJson('[12345678901234567890]') as [ExactNumber];

  it('is nothing else by accident: arithmetic, comparing and cloning throw', () => {
    const any = number as unknown as number;
    for (const work of [() => any + 1, () => any * 2, () => -any, () => any > 5, () => Number(any)])
      assert.throws(
        work,
        /^TypeError: 12345678901234567890 does not fit into a number of JavaScript\. Number\(String\(it\)\) rounds it/,
      );
    assert.throws(() => structuredClone({ number }), { name: 'DataCloneError' });
    assert.throws(() => {
      (number as { text: string }).text = '1';
    }, TypeError);
    assert.equal(BigInt(String(number)), 12345678901234567890n);
    assert.equal([number, `${number}`].join(), '12345678901234567890,12345678901234567890');
  });

  it('is written by JSON.stringify itself, or is a text of the same digits where the runtime can write no number', () => {
    assert.equal(JSON.stringify({ number }), '{"number":12345678901234567890}');
    withoutRawJson(() =>
      assert.equal(JSON.stringify({ number }), '{"number":"12345678901234567890"}'),
    );
  });

  it('can be made, and a bigint is sent as it is', () => {
    for (const [, on] of EVERYWHERE)
      on(() =>
        assert.equal(
          toJson({ a: new ExactNumber('1e400'), b: [9007199254740993n, new ExactNumber('-0')] }),
          '{"a":1e400,"b":[9007199254740993,-0]}',
        ),
      );
    for (const wrong of ['', '1,5', '01', ' 1', 'NaN', '1\n', '"1"', '0x10', '1e'])
      assert.throws(() => new ExactNumber(wrong), /is no number of JSON, such as/);
  });

  it('is what it says also where a program stringifies within its own toJSON', () => {
    for (const [, on] of EVERYWHERE)
      on(() => {
        const odd = {
          toJSON: () => ({ inner: toJson({ number }), plain: JSON.stringify([number]) }),
        };
        const { inner, plain } = JSON.parse(toJson(odd));
        assert.equal(inner, '{"number":12345678901234567890}');
        assert.match(plain, /^\["?12345678901234567890"?\]$/);
      });
  });
});

describe('free-form content', () => {
  const stage = world({ settings: keyed() });
  const fields = { event_name: 'Celebration of life', event_datetime: '2027-03-20T09:30:00-05:00' };
  const named = (external_identifier: string) => ({
    ...fields,
    location_unique_identifier: stage.parents.location,
    external_identifier,
  });
  /** As it is stored: the service alone decides how a number is spelt. */
  const stored = async (id: string): Promise<string> => {
    const { text } = await stage.service.get(`/v1/events/${id}`);
    return /"additional_event_metadata":(\{.*?\})(?=,"|\})/s.exec(text)?.[1] ?? '';
  };

  it('that was read is sent again as it is stored, whatever is in it', async () => {
    const { api } = clientOf(stage.service);
    let number = 0;
    await fc.assert(
      fc.asyncProperty(jsonObject, async (content) => {
        number += 1;
        const sent = JSON.stringify({
          ...named(`any ${number}`),
          additional_event_metadata: { content, beside: 1 },
        });
        const made = await stage.service.json('/v1/events/upsert', sent);
        // Not everything that is JSON may be stored.
        if (made.status !== 200) return;
        const id: string = made.body.unique_identifier;
        const before = (await stage.service.get(`/v1/events/${id}`)).text;
        const read = await api.events.retrieve(id);
        const { additional_event_metadata } = read.public_data as Body;
        const changed = { ...additional_event_metadata, beside: 2 };
        const after = await api.events.upsert({
          ...named(`any ${number}`),
          additional_event_metadata: changed,
        });
        const text = (await stage.service.get(`/v1/events/${id}`)).text;
        const same = (one: string) =>
          one.replace(/"beside":\d/, '').replace(/"updated_at":"[^"]*"/, '');
        assert.equal(same(text), same(before));
        assert.equal(toJson(after), text);
      }),
      { numRuns: 60 },
    );
  });

  it('has its digits in lists, histories, changes, searches, rows and notifications', async () => {
    const receiver = await startReceiver();
    const { secret } = await stage.service.newKey({ allow: ['webhooks'] });
    const webhooks = new Ledgerstone({ key: secret, url: stage.service.url });
    const endpoint = await webhooks.webhook_endpoints.create({
      url: receiver.url,
      payload: 'full',
    });
    const { api } = clientOf(stage.service);
    const numbers = '[12345678901234567890,1e+400,0.1234567890123456789]';
    const additional_event_metadata = { numbers: parseJson(numbers) };
    const rows = [
      { ...named('everywhere'), event_name: 'Digits everywhere', additional_event_metadata },
    ];
    const [row] = await all(api.events.upsertMany(rows));
    const id = (row?.error === undefined && row?.unique_identifier) || '';
    assert.match(await stored(id), /12345678901234567890,1e\+400,0\.1234567890123456789/);
    const [received] = (await receiver.count(1)) as [Received];
    await api.events.patch(id, { event_name: 'Digits, still everywhere' });
    const found = async () => (await api.search({ q: 'digits everywhere' })).data;
    await until(async () => (await found()).length > 0);
    const seen = {
      record: await api.events.retrieve(id),
      version: await api.events.retrieve(id, { version: 1 }),
      list: await all(api.events.list({ external_identifier: 'everywhere' })),
      history: await all(api.events.history(id)),
      changes: await all(api.changes.list({ expand: ['record'] })),
      search: await found(),
      notification: await verifyWebhook(received.headers, received.text, endpoint.secret),
    };
    for (const [where, value] of Object.entries(seen))
      assert.ok(toJson(value).includes(numbers), where);
    await webhooks.webhook_endpoints.remove(endpoint.unique_identifier);
  });

  it('may have a bigint', async () => {
    const { api } = clientOf(stage.service);
    const made = await api.events.upsert({
      ...named('bigint'),
      additional_event_metadata: { of: 12345678901234567890n },
    });
    assert.equal(await stored(made.unique_identifier), '{"of":12345678901234567890}');
  });
});
