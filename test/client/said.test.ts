/** Whatever JavaScript value is given to any method of the client: it arrives as it was meant, or nothing is sent and a TypeError names it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { ExactNumber, Ledgerstone, parseJson } from '../../client/src/index.ts';

/** What a request may say, and how that stands in a body and in a query; `undefined`: it is left out. */
type Meant = {
  readonly body: unknown;
  readonly query?: Readonly<Record<string, string>> | 'refused';
};

class Row {
  readonly #hidden = 'x';
  readonly shown = 'y';
  get name() {
    return this.#hidden + this.shown;
  }
}

const circle: Record<string, unknown> = {};
circle.inside = { circle };
const at = '2027-03-20T09:30:00.000Z';
const alone = (text: string): Readonly<Record<string, string>> => ({ '': text });

/** Kinds that mean something. */
const MEANT: Readonly<Record<string, readonly [value: unknown, Meant]>> = {
  undefined: [undefined, { body: undefined, query: {} }],
  null: [null, { body: null, query: 'refused' }],
  text: ['Jane & Joe', { body: 'Jane & Joe', query: alone('Jane & Joe') }],
  'empty text': ['', { body: '', query: alone('') }],
  true: [true, { body: true, query: alone('true') }],
  zero: [0, { body: 0, query: alone('0') }],
  'a small number': [1e-7, { body: 1e-7, query: alone('1e-7') }],
  'a bigint': [12n, { body: 12, query: alone('12') }],
  'a bigint within': [{ a: 12n }, { body: { a: 12 }, query: { '[a]': '12' } }],
  'an ExactNumber': [
    new ExactNumber('1.10'),
    { body: new ExactNumber('1.10'), query: alone('1.10') },
  ],
  'a Date': [new Date(at), { body: at, query: alone(at) }],
  'a Date within': [{ gte: new Date(at) }, { body: { gte: at }, query: { '[gte]': at } }],
  'a URL': [
    new URL('https://a.example/x'),
    { body: 'https://a.example/x', query: alone('https://a.example/x') },
  ],
  'what has toJSON': [{ toJSON: () => ({ a: 1 }) }, { body: { a: 1 }, query: { '[a]': '1' } }],
  list: [['a', 'b'], { body: ['a', 'b'], query: { '[]': 'a,b' } }],
  'list of Dates': [[new Date(at)], { body: [at], query: { '[]': at } }],
  'empty list': [[], { body: [], query: 'refused' }],
  'empty object': [{}, { body: {}, query: 'refused' }],
  'undefined within': [
    { a: 1, b: undefined },
    { body: { a: 1 }, query: { '[a]': '1' } },
  ],
  'an object without a prototype': [
    Object.assign(Object.create(null), { a: 1 }),
    { body: { a: 1 }, query: { '[a]': '1' } },
  ],
  'an object of another realm': [
    runInNewContext('({ a: [1] })'),
    { body: { a: [1] }, query: { '[a][]': '1' } },
  ],
  'half a character': ['\ud800', { body: '\ud800', query: 'refused' }],
};

/** Kinds that say nothing in JSON, or something else. */
const UNSAID: Readonly<Record<string, unknown>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  'an invalid Date': new Date(Number.NaN),
  'a function': () => 1,
  'a symbol': Symbol('x'),
  'a Map': new Map([['a', 1]]),
  'a Set': new Set(['a']),
  'a WeakMap': new WeakMap(),
  'a RegExp': /a/,
  'an Error': new Error('x'),
  'a Promise': Promise.resolve('x'),
  'a typed array': new Float64Array([1]),
  'an ArrayBuffer': new ArrayBuffer(1),
  'a generator': (function* () {
    yield 1;
  })(),
  'an iterator': ['a'].values(),
  URLSearchParams: new URLSearchParams('a=1'),
  Headers: new Headers({ a: '1' }),
  'an object of a class': new Row(),
  'an object that inherits': Object.create({ a: 1 }),
  'a Map of another realm': runInNewContext('new Map([[1, 2]])'),
  'what has a toJSON that gives nothing': { toJSON: () => undefined },
  'a list with undefined': ['a', undefined],
  // biome-ignore lint/suspicious/noSparseArray: it is what is tested.
  'a list with a hole': ['a', , 'b'],
  'a circle': circle,
  'NaN within': { a: { b: [1, Number.NaN] } },
};

interface Sent {
  readonly url: URL;
  readonly body: unknown;
}

function ground() {
  const sent: Sent[] = [];
  const api = new Ledgerstone({
    ...{ key: 'sk_test_x', url: 'https://records.example.com', tries: 1 },
    fetch: async (input, init = {}) => {
      const { body } = init;
      sent.push({
        url: new URL(String(input)),
        body: typeof body === 'string' ? parseJson(body) : undefined,
      });
      const answer = { object: 'list', data: [], has_more: false, position: null, lines: [] };
      return new Response(JSON.stringify(answer), {
        headers: { 'Content-Type': 'application/json' },
      });
    },
  });
  return { api: api as unknown as Api, sent };
}

type Call = (...all: readonly unknown[]) => unknown;
type Api = Readonly<Record<string, unknown>>;

/** Protected, not one request each, or without end: they send by methods that are here. */
const OTHERS = /^(?:constructor|one|follow|sync|upsertMany)$/;

/** Every method of the client, as a person writes it, with the names of its parameters. */
function methodsOf(api: Api) {
  const owners = [
    ['api', api] as const,
    ...Object.entries(api).map(([name, one]) => [`api.${name}`, one] as const),
  ];
  return owners.flatMap(([owner, one]) => {
    const names = new Set<string>();
    for (
      let proto = Object.getPrototypeOf(one);
      proto !== Object.prototype && proto !== null;
      proto = Object.getPrototypeOf(proto)
    )
      for (const name of Object.getOwnPropertyNames(proto)) names.add(name);
    return [...names]
      .filter((name) => !OTHERS.test(name) && typeof (one as Api)[name] === 'function')
      .map((name) => {
        const method = (one as Readonly<Record<string, Call>>)[name] as Call;
        const [, list = ''] = /^[^(]*\(((?:[^()]|\([^)]*\))*)\)/.exec(String(method)) ?? [];
        const params = list
          .replaceAll(/\{[^}]*\}/g, 'options')
          .split(',')
          .map((text) => text.split('=')[0]?.trim() ?? '')
          .filter((text) => text !== '');
        return {
          called: `${owner}.${name}`,
          run: (...all: unknown[]) => method.apply(one, all),
          params,
        };
      });
  });
}

/** Those that are good, but for one of them. */
const GOOD: Readonly<Record<string, unknown>> = {
  unique_identifier: 'evt_1',
  which: 'evt_1',
  member: 'event_name',
  file: new Uint8Array([1]),
  params: { known: 1 },
  options: { version: 1 },
};
const goodFor = (param: string): unknown => (param in GOOD ? GOOD[param] : 'some');

/** Awaits what a method gives: an answer, or the pages of a list. */
async function finished(given: unknown): Promise<void> {
  const answer = (await given) as { page?: () => Promise<unknown> };
  if (typeof answer?.page === 'function') await answer.page();
}

const { api: all } = ground();
const methods = methodsOf(all);

async function outcome(called: string, args: readonly unknown[]) {
  const { api, sent } = ground();
  const method = methodsOf(api).find((one) => one.called === called);
  let error: unknown;
  try {
    await finished(method?.run(...args));
  } catch (thrown) {
    error = thrown;
  }
  return { error, sent };
}

function pairsOf(url: URL, name: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [key, value] of url.searchParams)
    if (key === name || key.startsWith(`${name}[`)) {
      const inner = key.slice(name.length);
      found[inner] = inner in found ? `${found[inner]},${value}` : value;
    }
  return found;
}

const isNamed = (error: unknown, name: string): void => {
  assert.ok(error instanceof TypeError, `${name}: ${error}`);
  assert.ok(error.message.includes(name), error.message);
};

describe('what is given to any method', () => {
  it('is tried for all of them', () => {
    assert.ok(methods.length > 120, `${methods.length} methods`);
    assert.ok(methods.filter(({ params }) => params.includes('params')).length > 60);
    for (const { called, params } of methods)
      assert.equal(params.at(-1), 'options', `${called}(${params})`);
  });

  it('as a member of its parameters arrives as it was meant, or is named', async () => {
    for (const { called, params } of methods.filter((one) => one.params.includes('params'))) {
      const call = (member: unknown) =>
        outcome(
          called,
          params.map((one) => (one === 'params' ? { some: member } : goodFor(one))),
        );
      for (const [kind, [value, meant]] of Object.entries(MEANT)) {
        const { error, sent } = await call(value);
        if (error === undefined) {
          const [{ url, body }] = sent as [Sent];
          if (body === undefined)
            assert.deepEqual(pairsOf(url, 'some'), meant.query, called + kind);
          else assert.deepEqual((body as Record<string, unknown>).some, meant.body, called + kind);
        } else {
          assert.equal(meant.query, 'refused', `${called}, ${kind}: ${error}`);
          isNamed(error, 'some');
          assert.deepEqual(sent, [], called + kind);
        }
      }
      for (const [kind, value] of Object.entries(UNSAID)) {
        const { error, sent } = await call(value);
        isNamed(error, 'some');
        assert.deepEqual(sent, [], called + kind);
      }
    }
  });

  it('in place of each parameter is a mistake where it is none of those that it takes', async () => {
    for (const { called, params } of methods)
      for (const [at, param] of params.entries())
        for (const [kind, value] of Object.entries({ ...UNSAID, null: null })) {
          // What a body is made of alone arrives as it is, for the service to judge.
          if (value === null && !(param in GOOD)) continue;
          // Bytes are what a file is of.
          if (param === 'file' && /array|ArrayBuffer/.test(kind)) continue;
          const args = params.map((one, nth) => (nth === at ? value : goodFor(one)));
          const { error, sent } = await outcome(called, args);
          assert.ok(error instanceof TypeError, `${called}, ${param} as ${kind}: ${error}`);
          assert.deepEqual(sent, [], `${called}, ${param} as ${kind}`);
        }
  });

  it('as an option that there is not is named, and nothing is done', async () => {
    for (const { called, params } of methods) {
      const args = params.map((one) =>
        one === 'options' ? { version: 1, dry_run: true } : goodFor(one),
      );
      const { error, sent } = await outcome(called, args);
      isNamed(error, 'dry_run');
      assert.deepEqual(sent, [], called);
    }
  });
});
