/** The console's page as it is served: small, with a strict policy, the same at every address. */
// needs: browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import { resources } from '../../src/core/resources/index.ts';
import { served } from '../support/world.ts';

/**
 * Bytes of script, compressed: that the page waits for, with a method of the client for every operation; with what is
 * loaded after it; and what only those load who have it in their menu.
 */
const MAX_FIRST = 54_000;
const MAX_SCRIPT = 101_400;
/** Whoever is signed in does not load what is there for signing in. */
const MAX_ASKED = {
  ...{ officers: 22_200, importing: 17_100, integrating: 16_450, entering: 4_000 },
  /** The numbering plans of all countries, beside what is shown meanwhile. */
  plans: 33_000,
};
/** As the service compresses it for every browser. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const service = served();

describe('the page of the console', () => {
  it('is answered at every address below it, without a session', async () => {
    const answers = await Promise.all(
      ['/console/', '/console/events', '/console/events/evt_1?tab=history'].map((path) =>
        service.get(path, { key: null }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    const { status, headers } = await service.get('/console', { key: null });
    assert.deepEqual([status, headers.get('location')], [308, '/console/']);
  });

  it('says first of all that it needs JavaScript, where there is none', async () => {
    const { text } = await service.get('/console/', { key: null });
    const [said, shell] = [text.indexOf('<noscript>'), text.indexOf('id="app"')];
    assert.ok(said > 0 && said < shell);
  });

  it('lets nothing run or load but what is its own', async () => {
    const { headers } = await service.get('/console/', { key: null });
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
      assert.ok(policy.split('; ').includes(rule), rule);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
  });

  it('describes every resource as the declarations have it', async () => {
    const { text } = await service.get('/console/', { key: null });
    const [, data = ''] = /id="description">(.*?)<\/script>/s.exec(text) ?? [];
    const described = JSON.parse(data).resources as { name: string; fields: { param: string }[] }[];
    assert.deepEqual(
      described.map(({ name }) => name),
      resources.map(({ name }) => name),
    );
    assert.ok(described.every(({ fields }) => fields.length > 0));
  });

  it('begins with a script of at most 54 kB, and loads at most 101.4, which browsers keep', async () => {
    const { text } = await service.get('/console/', { key: null });
    const files = [...text.matchAll(/(?:src|href)="\/console\/assets\/([^"]+)"/g)];
    assert.ok(files.length >= 4);
    const sizes = new Map<string, number>();
    const imports = new Map<string, readonly string[]>();
    const load = async (name: string): Promise<void> => {
      if (imports.has(name)) return;
      const answer = await service.get(`/console/assets/${name}`, { key: null });
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('cache-control') ?? '', /immutable/);
      const isScript = name.endsWith('.js');
      const imported = isScript ? answer.text.matchAll(/(?:from|import)\s*\(?"\.\/([^"]+)"/g) : [];
      imports.set(
        name,
        [...imported].map(([, other = '']) => other),
      );
      if (isScript) sizes.set(name, brotliCompressSync(answer.text, BROTLI).length);
      for (const other of imports.get(name) ?? []) await load(other);
    };
    for (const [, name = ''] of files) await load(name);
    const sum = (names: Iterable<string>) =>
      [...names].reduce((all, name) => all + (sizes.get(name) ?? 0), 0);
    const isOf = (kind: string, name: string): boolean => name.startsWith(`${kind}-`);
    const isAsked = (name: string): boolean =>
      Object.keys(MAX_ASKED).some((kind) => isOf(kind, name));
    /** What comes with these, without what only those load who have it in their menu. */
    const comingWith = (
      names: readonly string[],
      found = new Set<string>(),
    ): ReadonlySet<string> => {
      for (const name of names.filter((one) => !found.has(one) && !isAsked(one)))
        comingWith(imports.get(name) ?? [], found.add(name));
      return found;
    };
    const everybodys = comingWith(files.map(([, name = '']) => name));
    /** What two kinds share counts for each of them. */
    const asked = (kind: string) => {
      const own = [...sizes.keys()].filter((name) => isOf(kind, name));
      const shared = comingWith(own.flatMap((name) => imports.get(name) ?? []));
      return sum(new Set([...own, ...shared].filter((name) => !everybodys.has(name))));
    };
    const all = sum(everybodys);
    const first = sum(files.map(([, name = '']) => name));
    assert.ok(sizes.size > files.filter(([, name = '']) => name.endsWith('.js')).length);
    assert.ok(first > 10_000 && first <= MAX_FIRST, `${first} of ${all} bytes`);
    assert.ok(all > first && all <= MAX_SCRIPT, `${all} bytes`);
    for (const [kind, most] of Object.entries(MAX_ASKED)) {
      const bytes = asked(kind);
      assert.ok(bytes > 0 && bytes <= most, `${kind}: ${bytes} bytes`);
    }
  });

  it('is no answer to a request for data', async () => {
    const file = await service.get('/console/assets/nothing.js', { key: null });
    assert.deepEqual([file.status, file.body.error.code], [404, 'path_unknown']);
    const data = await service.get('/console/api/nothing', { key: null });
    assert.match(data.headers.get('content-type') ?? '', /^application\/json/);
    assert.ok(data.status >= 400 && data.status < 500);
  });
});
