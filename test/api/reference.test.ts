/** The manual that the service serves: every page is there without a key, and leads to others that are there. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { anchorOf } from '../../manual/page/render.ts';
import { chaptersOf, MOVED, sourceOf } from '../../manual/pages.ts';
import { exampleOf } from '../../scripts/openapi/errors.ts';
import { catalogue, type ErrorCode, typeOfStatus } from '../../src/core/errors.ts';
import { resources } from '../../src/core/resources/index.ts';
import { type Answer, startService } from '../support/service.ts';
import { refused, served } from '../support/world.ts';

const project = join(import.meta.dirname, '../..');
const pages = chaptersOf(resources.map((one) => ({ ...one, title: one.path }))).flatMap(
  (chapter) => chapter.pages,
);
const PAGES = ['/', ...pages.map(({ path }) => path)];
const MARKDOWN = pages.map(({ file }) => `/docs/${file}`);
const OTHERS: Readonly<Record<string, string>> = {
  '/openapi.json': 'application/json; charset=utf-8',
  '/llms.txt': 'text/plain; charset=utf-8',
  '/docs/changelog.atom': 'application/atom+xml; charset=utf-8',
  '/docs/search.json': 'application/json; charset=utf-8',
  '/docs/reference.css': 'text/css; charset=utf-8',
  '/docs/reference.js': 'text/javascript; charset=utf-8',
  '/docs/icon.svg': 'image/svg+xml',
  '/docs/prometheus/alerts.yml': 'text/plain; charset=utf-8',
  '/docs/grafana/ledgerstone.json': 'application/json; charset=utf-8',
};
/** Pages for people who work on the service, which is not what its callers do. */
const SHOWN = 'http://127.0.0.1:8080';

const answers = new Map<string, Answer>();
const text = (path: string): string => answers.get(path)?.text ?? '';
const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  service.get(path, { key: null, headers });
const idsIn = (html: string): string[] =>
  [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);

const service = served({}, async () => {
  for (const path of [...PAGES, ...MARKDOWN, ...Object.keys(OTHERS)]) {
    answers.set(path, await get(path));
  }
});

describe('the manual', () => {
  it('is answered without a key, as what it is', () => {
    for (const [path, { status, headers }] of answers) {
      const page = path.endsWith('.md')
        ? 'text/markdown; charset=utf-8'
        : 'text/html; charset=utf-8';
      const type = headers.get('content-type');
      assert.deepEqual([path, status, type], [path, 200, OTHERS[path] ?? page]);
      const sniffed = path === '/openapi.json' ? null : 'nosniff';
      assert.equal(headers.get('x-content-type-options'), sniffed);
    }
  });

  it('has every file of docs/ that callers and operators read', () => {
    const files = globSync(['*.md', 'resources/*.md'], { cwd: join(project, 'docs') });
    const own = pages.filter(({ source }) => source === undefined).map(({ file }) => file);
    assert.deepEqual(files.sort(), own.sort(), 'Add the page to manual/pages.ts.');
    for (const page of pages) {
      const { file, path } = page;
      const kept = readFileSync(join(project, sourceOf(page)), 'utf8')
        .replace(/^<!--.*-->\n\n/, '')
        .replaceAll(/\]\((?:docs\/|\.\.\/(?=CHANGELOG))/g, '](')
        .replaceAll(/\]\((?:\.\.\/)?client\/README\.md/g, '](client.md')
        .replaceAll('](CHANGELOG.md', '](changelog.md');
      assert.equal(text(`/docs/${file}`), kept.replaceAll(SHOWN, service.url));
      const [, title = ''] = /^# (.*)$/m.exec(kept) ?? [];
      assert.ok(text(path).includes('<h1>'), path);
      assert.ok(title !== '', file);
    }
  });

  it('has a tag for revalidation, the same compressed and by HEAD', async () => {
    const kinds = new Set<string>();
    for (const [path, { headers, text: whole }] of answers) {
      const tag = headers.get('etag') ?? '';
      assert.match(tag, /^"[\w-]{22}"$/);
      const again = await get(path, { 'If-None-Match': tag });
      assert.deepEqual([again.status, again.text], [304, '']);
      const large = Buffer.byteLength(whole) >= 1024;
      // One of each kind and size is enough of what takes long.
      const kind = `${headers.get('content-type')} ${large}`;
      if (kinds.has(kind)) continue;
      kinds.add(kind);
      for (const coding of ['identity', 'gzip', 'br', 'br']) {
        const answer = await get(path, { 'Accept-Encoding': coding });
        assert.equal(answer.text, whole);
        assert.equal(answer.headers.get('etag'), tag);
        assert.equal(answer.headers.get('vary'), 'accept-encoding');
        const expected = coding === 'identity' || !large ? null : coding;
        assert.equal(answer.headers.get('content-encoding'), expected);
      }
      const sent = { key: null, headers: { 'Accept-Encoding': 'identity' } };
      const head = await service.send('HEAD', path, sent);
      assert.deepEqual([head.status, head.text, head.headers.get('etag')], [200, '', tag]);
      assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(whole)));
      assert.equal((await get(path, { 'If-None-Match': '"other"' })).status, 200);
    }
  });

  it('has no link that leads nowhere, in pages and in Markdown', async () => {
    const seen = new Map<string, Promise<Answer>>();
    const follow = async (from: string, href: string): Promise<void> => {
      const url = new URL(href, service.url + from);
      if (url.origin !== service.url) return;
      const found = seen.get(url.pathname) ?? get(url.pathname);
      seen.set(url.pathname, found);
      const { status, text: there } = await found;
      assert.equal(status, 200, `${href} of ${from}`);
      const isPage = !/\.\w+$/.test(url.pathname);
      if (url.hash !== '' && isPage)
        assert.ok(idsIn(there).includes(url.hash.slice(1)), `${href} of ${from}`);
    };
    for (const path of PAGES)
      for (const [, href = ''] of text(path).matchAll(/(?:href|src)="([^"]*)"/g))
        await follow(path, href);
    for (const { file, path } of pages) {
      for (const [, href = ''] of text(`/docs/${file}`).matchAll(/\]\(([^)\s]+)\)/g)) {
        // Others than these lead to the source, where the files are read.
        const target = join('docs', dirname(file), href.replace(/#.*/, ''));
        const isServed = pages.some((page) => join('docs', page.file) === target);
        if (isServed) await follow(`/docs/${file}`, href);
        else if (!/^(?:https?:|#)/.test(href)) assert.ok(existsSync(join(project, target)), href);
        if (href.startsWith('#'))
          assert.ok(idsIn(text(path)).includes(href.slice(1)), `${href} of ${file}`);
      }
    }
    for (const [, href = ''] of text('/llms.txt').matchAll(/\]\(([^)\s]+)\)/g)) {
      assert.ok(href.startsWith(`${service.url}/docs/`), href);
      await follow('/', href);
    }
  });

  it('explains every error of the catalogue where its doc_url leads', async () => {
    const { body } = await get('/v1/accounts');
    assert.equal(body.error.doc_url, `${service.url}/docs/errors#api_key_missing`);
    const ids = idsIn(text('/docs/errors'));
    for (const [code, { hint, status }] of Object.entries(catalogue)) {
      const { message } = exampleOf(code as ErrorCode);
      assert.equal(ids.filter((id) => id === code).length, 1, code);
      for (const part of [message, hint, String(status), typeOfStatus(status)])
        assert.ok(text('/docs/errors.md').includes(part), part);
    }
  });

  it('has an index to search in, whose places are there', () => {
    const sections = JSON.parse(text('/docs/search.json')).flatMap(
      ({ path, sections: all }: { path: string; sections: object[] }) =>
        all.map((one: { heading?: string }) => ({
          ...{ path, id: one.heading && anchorOf(one.heading) },
          ...one,
        })),
    );
    assert.ok(sections.length > 100);
    for (const { path, id, text: said } of sections) {
      assert.ok(PAGES.includes(path), path);
      if (id !== undefined) assert.ok(idsIn(text(path)).includes(id), `${path}#${id}`);
      assert.doesNotMatch(said, /&#\d|<\/|<(?:code|span|a|pre)\b|curl -u \$KEY/);
    }
    const missing = sections.find(({ id }: { id?: string }) => id === 'parameter_missing');
    assert.ok(missing.text.includes(catalogue.parameter_missing.hint.slice(0, 20)));
  });
});

describe('a page', () => {
  it('has one heading of the first order, and no anchor twice', () => {
    for (const path of PAGES) {
      assert.equal([...text(path).matchAll(/<h1/g)].length, 1, path);
      const ids = idsIn(text(path));
      assert.deepEqual(ids, [...new Set(ids)], path);
    }
  });

  it('runs and loads nothing but what the service serves, and the browser is told so', () => {
    for (const path of PAGES) {
      const loaded = /<script>|<style|<iframe|<[^>]*\s(?:style|on\w+)=|<[^>]*javascript:/i;
      assert.doesNotMatch(text(path), loaded);
      const { headers } = answers.get(path) as Answer;
      const policy = headers.get('content-security-policy') ?? '';
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
      assert.doesNotMatch(policy, /unsafe|\*|data:|https?:/);
    }
    assert.doesNotMatch(text('/docs/reference.css'), /url\(|@import/);
  });

  it('keeps its style sheet and script by their version, and looks for no other', async () => {
    const src = /src="([^"]*reference\.js\?v=[^"]*)"/;
    const [, versioned = ''] = src.exec(text('/docs/merging')) ?? [];
    const { pathname, search } = new URL(versioned, `${service.url}/docs/merging`);
    const now = await get(pathname + search);
    assert.match(now.headers.get('cache-control') ?? '', /immutable/);
    const other = await get('/docs/reference.js?v=other');
    assert.equal(other.headers.get('cache-control'), 'no-cache');
    assert.equal(other.text, now.text);
  });

  it('shows the address at which it is asked for', async () => {
    const merging = ['/docs/merging', '/docs/merging.md'];
    for (const path of ['/', ...merging, '/docs/resources/events', '/llms.txt']) {
      assert.ok(text(path).includes(service.url), path);
      assert.ok(!text(path).includes(SHOWN), path);
    }
    const { port } = new URL(service.url);
    const asked = `http://localhost:${port}`;
    const page = await (await fetch(`${asked}/docs/merging`)).text();
    assert.ok(page.includes(`API=${asked}`));
    assert.ok(!page.includes(service.url));
  });

  it('that has moved leads to where it went, as a page and as Markdown', async () => {
    assert.ok(Object.keys(MOVED).length > 0);
    for (const [from, to] of Object.entries(MOVED))
      for (const [ending, path] of [
        ['', to],
        ['.md', to.replace(/#.*/, '.md')],
      ] as const) {
        const moved = await get(`/docs/${from}${ending}`);
        assert.deepEqual([moved.status, moved.headers.get('location')], [308, path]);
        const there = new URL(path, `${service.url}/docs/${from}`);
        const answer = await get(there.pathname);
        assert.equal(answer.status, 200, path);
        if (ending === '') assert.ok(idsIn(answer.text).includes(there.hash.slice(1)), path);
      }
  });

  it('that does not exist is a page for people and an error for programs, without a password prompt', async () => {
    for (const path of ['nothing', 'nothing.md', 'resources/nothing', 'a/b/c']) {
      refused(await get(`/docs/${path}`), 404, 'path_unknown');
      const asPerson = await get(`/docs/${path}`, { Accept: 'text/html,*/*;q=0.8' });
      assert.equal(asPerson.status, 404);
      assert.equal(asPerson.headers.get('www-authenticate'), null);
    }
    const page = await get('/docs/resources/nothing', { Accept: 'text/html' });
    assert.match(page.text, /<h1>Page not found<\/h1>/);
    assert.match(page.text, /href="\.\.\/merging"/);
    const slash = await get('/docs/');
    assert.deepEqual([slash.status, slash.headers.get('location')], [308, '../docs']);
  });
});

describe('an address', () => {
  it('of the operator is what pages show, whatever they are asked for by, and as text', async () => {
    const other = await startService({ settings: { public_url: 'https://records.example.com/x' } });
    const { text: page } = await other.get('/docs/merging', { key: null });
    assert.ok(page.includes('API=https://records.example.com/x'));
    assert.ok(!page.includes(other.url) && !page.includes(SHOWN));
  });

  it('that is none is not shown', async () => {
    const long = `${'a'.repeat(300)}.example`;
    const { body } = await service.app.inject({ url: '/docs/merging', headers: { host: long } });
    assert.ok(body.includes(`API=${service.url}`));
    for (const host of ['x"><script>alert(1)</script>', 'a b', 'é.example']) {
      const refused = await service.app.inject({ url: '/docs/merging', headers: { host } });
      assert.equal(refused.statusCode, 400, host);
      assert.ok(!refused.body.includes(host), host);
      assert.ok(!refused.body.includes('alert(1)'), host);
    }
  });

  it('is not written into OpenAPI, the longest text, for each request', async () => {
    const sent = { url: '/openapi.json', headers: { host: 'elsewhere.example' } };
    const { servers } = JSON.parse((await service.app.inject(sent)).body);
    assert.deepEqual(servers, [{ url: '/' }]);
    const own = JSON.parse((await get('/openapi.json')).text);
    assert.deepEqual(own.servers, [{ url: service.url }]);
  });

  it('that changes with every request holds no memory', async () => {
    const wanted = await get('/docs/merging');
    for (let index = 0; index < 50; index++) {
      const headers = { host: `h${index}.example` };
      const { body } = await service.app.inject({ url: '/docs/merging', headers });
      assert.ok(body.includes(`API=http://h${index}.example`));
    }
    assert.equal((await get('/docs/merging')).text, wanted.text);
  });
});
