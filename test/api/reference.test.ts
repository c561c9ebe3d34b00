/** The pages that answers link to: every error has its place, and nothing runs in them. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { catalogue } from '../../src/errors.ts';
import { homePage } from '../../src/http/reference/home-page.ts';
import { type Answer, type Service, startService } from '../support/service.ts';

const PAGES = ['/', '/docs/errors'];
const codes = Object.keys(catalogue);

let service: Service;
const answers = new Map<string, Answer>();
const text = (path: string): string => answers.get(path)?.text ?? '';

before(async () => {
  service = await startService();
  for (const path of [...PAGES, '/docs/errors.md', '/openapi.json']) {
    answers.set(path, await service.get(path, { key: null }));
  }
});
after(() => service.stop());

describe('the reference', () => {
  it('is answered without a key, as what it is', () => {
    const types = [...answers].map(([path, { status, headers }]) => [
      path,
      status,
      headers.get('content-type'),
    ]);
    assert.deepEqual(types, [
      ['/', 200, 'text/html; charset=utf-8'],
      ['/docs/errors', 200, 'text/html; charset=utf-8'],
      ['/docs/errors.md', 200, 'text/markdown; charset=utf-8'],
      ['/openapi.json', 200, 'application/json; charset=utf-8'],
    ]);
  });

  it('has a tag, by which whoever has it is told so, and is the same compressed', async () => {
    for (const [path, { headers, text: whole }] of answers) {
      const tag = headers.get('etag') ?? '';
      assert.match(tag, /^"[\w-]{22}"$/);
      const again = await service.get(path, { key: null, headers: { 'If-None-Match': tag } });
      assert.deepEqual([again.status, again.text], [304, '']);
      for (const coding of ['identity', 'gzip', 'br', 'br']) {
        const headers = { 'Accept-Encoding': coding };
        const answer = await service.get(path, { key: null, headers });
        assert.equal(answer.text, whole);
        assert.equal(answer.headers.get('etag'), tag);
        assert.equal(answer.headers.get('vary'), 'accept-encoding');
        const expected = coding === 'identity' ? null : coding;
        assert.equal(answer.headers.get('content-encoding'), expected);
      }
      const other = { 'If-None-Match': '"other"' };
      assert.equal((await service.get(path, { key: null, headers: other })).status, 200);
    }
  });

  it('explains every error of the catalogue and no other, on the page and as Markdown', () => {
    const onPage = [...text('/docs/errors').matchAll(/<article class="card" id="([^"]+)"/g)];
    const inMarkdown = [...text('/docs/errors.md').matchAll(/<a id="([^"]+)"><\/a>/g)];
    assert.deepEqual(onPage.map(([, id]) => id).sort(), [...codes].sort());
    assert.deepEqual(inMarkdown.map(([, id]) => id).sort(), [...codes].sort());
    for (const { message, hint, status, type } of Object.values(catalogue)) {
      for (const part of [message, hint, String(status), type]) {
        assert.ok(text('/docs/errors.md').includes(part), part);
      }
    }
  });

  it('is where the doc_url of an error leads', async () => {
    const { body } = await service.get('/v1/accounts', { key: null });
    const [page = '', anchor = ''] = body.error.doc_url.split('#');
    assert.equal(page, `${service.url}/docs/errors`);
    assert.ok(text('/docs/errors').includes(`id="${anchor}"`));
  });

  it('has no link that leads nowhere', async () => {
    for (const path of PAGES) {
      for (const [, href = ''] of text(path).matchAll(/href="([^"]*)"/g)) {
        const url = new URL(href, service.url + path);
        assert.equal(url.origin, service.url);
        const answer = await service.get(url.pathname, { key: null });
        assert.equal(answer.status, 200, href);
        if (url.hash !== '') assert.ok(answer.text.includes(`id="${url.hash.slice(1)}"`), href);
      }
    }
  });
});

describe('a page of the reference', () => {
  it('runs nothing and loads nothing, and the browser is told so', () => {
    for (const path of PAGES) {
      assert.ok(
        !/<script|<link|<img|<iframe|\bon\w+=|url\(|@import|javascript:/i.test(text(path)),
        path,
      );
      const { headers } = answers.get(path) as Answer;
      assert.match(
        headers.get('content-security-policy') ?? '',
        /^default-src 'none'; style-src 'unsafe-inline'/,
      );
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
    }
  });

  it('shows an address as text, whatever is in it', () => {
    const page = homePage('https://x.example/"><script>&\'');
    assert.ok(!page.includes('<script>'));
    assert.ok(
      page.includes(
        'curl -u YOUR_API_KEY: https://x.example/&#34;&#62;&#60;script&#62;&#38;&#39;/v1/',
      ),
    );
  });
});
