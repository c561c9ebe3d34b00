/** The type of an answer is the one that its `Accept` prefers (RFC 9110, section 12.5.1), wherever there are several. */
// needs: waits
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { openapiDocument } from '../../scripts/openapi/document.ts';
import { resources } from '../../src/core/resources/index.ts';
import { preferred } from '../../src/edge/request/accepts.ts';
import { rights } from '../../src/records/auth/principal.ts';
import { type Service, startService } from '../support/service.ts';

const JSON_TYPE = 'application/json';
const WEIGHTS = ['0', '0.1', '0.5', '0.999', '1', undefined] as const;

/** Numbers that are the same each time. */
function* random(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

/** What the specification says, written down as simply as can be. */
function expected(
  ranges: readonly (readonly [string, number])[],
  types: readonly string[],
): string {
  const weigh = (type: string): number => {
    const [main = ''] = type.split('/');
    for (const one of [type, `${main}/*`, '*/*']) {
      const weights = ranges.filter(([range]) => range === one).map(([, weight]) => weight);
      if (weights.length > 0) return Math.max(...weights);
    }
    return 0;
  };
  const most = Math.max(...types.map(weigh));
  return types.find((type) => most > 0 && weigh(type) === most) ?? types[0] ?? '';
}

const numbers = random(7);
const pick = <T>(from: readonly T[]): T =>
  from[Math.floor(numbers.next().value * from.length)] as T;

/** An `Accept` of some ranges in any order and spelling, and the same as pairs. */
function anyAccept(types: readonly string[]) {
  const mains = types.map((type) => `${type.split('/')[0]}/*`);
  const named = [...types, ...types, ...mains, '*/*', 'text/html', 'image/*'];
  const ranges = Array.from({ length: 1 + Math.floor(numbers.next().value * 5) }, () => {
    const [range, weight] = [pick(named), pick(WEIGHTS)];
    return { pair: [range, Number(weight ?? 1)] as const, text: spelled(range, weight) };
  });
  return {
    accept: ranges.map(({ text }) => text).join(pick([',', ', ', ' ,\t'])),
    pairs: ranges.map(({ pair }) => pair),
  };
}

function spelled(range: string, weight: string | undefined): string {
  const type = pick([range, range.toUpperCase()]);
  const more = pick(['', ';profile=x', '; odata.metadata="a,b;q=0"']);
  return `${type}${range.includes('*') ? '' : more}${weight === undefined ? '' : pick([`;q=${weight}`, ` ; Q=${weight}`])}`;
}

it('the most specific range weighs a type, and the first of the heaviest wins', () => {
  const types = [JSON_TYPE, 'application/x-ndjson', 'text/csv', 'text/event-stream'] as const;
  for (let count = 0; count < 20_000; count += 1) {
    const { accept, pairs } = anyAccept(types);
    assert.equal(preferred(accept, types), expected(pairs, types), accept);
  }
});

it('a parameter that the type has makes a range more specific, and one with another value names another type', () => {
  const types = [JSON_TYPE, 'text/csv; header=present'] as const;
  for (const [accept, found] of [
    ['text/csv;header=present;q=0.2, text/csv;q=0.9, application/json;q=0.5', JSON_TYPE],
    ['text/csv;header=absent, application/json;q=0.1', JSON_TYPE],
    ['text/csv;HEADER="Present", application/json;q=0.1', types[1]],
    ['application/json;q=nonsense, text/csv;q=0.9', JSON_TYPE],
    ['', JSON_TYPE],
    [',;,', JSON_TYPE],
    ['image/png', JSON_TYPE],
    ['application/json;q=0', JSON_TYPE],
    ['application/json;q=0, */*;q=0.1', types[1]],
  ] as const)
    assert.equal(preferred(accept, types), found, accept);
});

describe('every operation that answers in several types', { concurrency: true }, () => {
  let service: Service;
  let key: string;
  before(async () => {
    service = await startService();
    await service.event(await service.location('home'));
    key = (await service.newKey({ allow: Object.keys(rights) })).secret;
  });

  interface Several {
    readonly path: string;
    readonly types: readonly string[];
  }

  const all = Object.entries((openapiDocument(resources, 'http://x') as Described).paths).flatMap(
    ([path, { get }]): Several[] => {
      const { content = {}, 'x-other-content': others = {} } = get?.responses['200'] ?? {};
      const types = Object.keys({ ...content, ...others }).map((type) => type.split(';')[0] ?? '');
      return types.length > 1 && !path.includes('{') ? [{ path, types }] : [];
    },
  );

  it('gives the one that is preferred', async () => {
    assert.ok(all.length > 8, `${all.length} operations`);
    assert.ok(all.some(({ path }) => path === '/v1/changes'));
    for (const { path, types } of all)
      for (let count = 0; count < 20; count += 1) {
        const { accept, pairs } = anyAccept(types);
        const ended = new AbortController();
        const url = `${service.url}${path}${path === '/v1/changes' ? '?starting_after=now' : ''}`;
        const headers = { Authorization: `Bearer ${key}`, Accept: accept };
        const answer = await fetch(url, { headers, signal: ended.signal });
        const [type] = (answer.headers.get('content-type') ?? '').split(';');
        ended.abort();
        assert.equal(answer.status, 200, path);
        assert.equal(type, expected(pairs, types), `${path} ${accept}`);
        assert.match(answer.headers.get('vary') ?? '', /\bAccept\b(?!-)/i, path);
      }
  });
});

interface Described {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly get?: {
          readonly responses: Readonly<
            Record<string, { readonly content?: object; readonly 'x-other-content'?: object }>
          >;
        };
      }
    >
  >;
}
