/** Makes every file of the manual: pages, their Markdown, the search index, style sheet, script and pictures. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Resource } from '../src/core/schema/define.ts';
import { missingPage, type SiteFile } from '../src/edge/site/built.ts';
import { changelogFeed } from './changelog.ts';
import { frontBody, HOME, homeBody } from './home.ts';
import { type Frame, framed, ICON, markdownOf } from './page/layout.ts';
import { FILES, linkFrom, linkResolver } from './page/links.ts';
import { render } from './page/render.ts';
import {
  type Chapter,
  chaptersOf,
  FRONT,
  lateOf,
  type ManualPage,
  MOVED,
  pagedAs,
  SHOWN_ADDRESS,
  sourceOf,
} from './pages.ts';
import { searchable } from './search.ts';

const PROJECT = join(import.meta.dirname, '..');
const PICTURES = join(PROJECT, 'docs', 'pictures');
const BROWSER = join(import.meta.dirname, 'browser');

/** Browsers revalidate a page each time, which takes a few bytes. */
const REVALIDATED = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' };
/** A page runs, loads and requests only what comes from this service, and cannot be framed. */
const HTML = {
  ...REVALIDATED,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};
const OPENAPI = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'public, max-age=3600',
};
const TYPES: Readonly<Record<string, string>> = {
  md: 'text/markdown; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  yml: 'text/plain; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: OPENAPI['Content-Type'],
  svg: 'image/svg+xml',
};
/** Pages to be read whole, and what the guides say in other words: whoever searches is led to these. */
const UNSEARCHED = new Set(['architecture.md', 'operations.md']);
const PICTURE = {
  'Cache-Control': 'public, max-age=3600',
  'X-Content-Type-Options': 'nosniff',
};

/** By the path at which each is served. */
export function makeManual(resources: readonly Resource[]): Map<string, SiteFile> {
  const chapters = chaptersOf(resources.map(pagedAs));
  const pages = chapters.flatMap((chapter) => chapter.pages);
  const css = readFileSync(join(BROWSER, 'reference.css'), 'utf8');
  const js = readFileSync(join(BROWSER, 'reference.js'), 'utf8');
  const version = createHash('sha256').update(css).update(js).digest('base64url').slice(0, 12);
  const frame: Frame = { chapters, version };
  const resolve = linkResolver(pages);

  const read = pages.map((page) => {
    const markdown = readFileSync(join(PROJECT, sourceOf(page)), 'utf8').replace(NOTE, '');
    return { page, markdown, rendered: render(markdown, (href) => resolve(page, href)) };
  });
  const texts = new Map<string, string>();
  for (const { page, markdown, rendered } of read) {
    texts.set(markdownOf(page), linkedAsServed(markdown, page, pages));
    if (page.path === CHANGELOG)
      texts.set(
        `${CHANGELOG}.atom`,
        changelogFeed(markdown, (href) => resolve(page, href)),
      );
    const { title, html, headings } = rendered;
    const body = page.file === FRONT ? frontBody(chapters) : html;
    texts.set(page.path, framed(frame, { ...page, title, body, headings, page }));
  }
  texts.set('/', framed(frame, { ...HOME, body: homeBody(chapters) }));
  for (const path of ['/docs/404', '/docs/any/404'])
    texts.set(missingPage(path), framed(frame, missing(path)));
  texts.set(
    '/docs/search.json',
    JSON.stringify(
      read
        .filter(({ page }) => !UNSEARCHED.has(page.file))
        .map(({ page, rendered }) => searchable(page, rendered, lateOf(chapters, page))),
    ).replaceAll(SHOWN_ADDRESS, ''),
  );
  texts.set('/llms.txt', llmsText(chapters));
  texts.set('/docs/reference.css', css);
  texts.set('/docs/reference.js', js);
  texts.set('/docs/icon.svg', ICON);
  for (const [file, path] of FILES) {
    if (path.startsWith('/docs/')) texts.set(path, readFileSync(join(PROJECT, file), 'utf8'));
  }
  return new Map([
    ['/openapi.json', { content: openapi(), headers: OPENAPI }],
    ...[...texts].map(([path, content]) => [path, sent(path, content, version)] as const),
    ...Object.entries(MOVED).flatMap(([from, to]) => [
      [`/docs/${from}`, movedTo(to)] as const,
      [`/docs/${from}.md`, movedTo(to.replace(/#.*/, '.md'))] as const,
    ]),
    ...readdirSync(PICTURES).map((name) => {
      const content = readFileSync(join(PICTURES, name));
      const type = { 'Content-Type': name.endsWith('.svg') ? 'image/svg+xml' : 'image/png' };
      return [`/docs/pictures/${name}`, { content, headers: { ...type, ...PICTURE } }] as const;
    }),
  ]);
}

/** As it is committed, but for who made it. */
function openapi(): string {
  const text = readFileSync(join(PROJECT, 'openapi.json'), 'utf8');
  const { 'x-generated': _note, ...document } = JSON.parse(text);
  return JSON.stringify(document);
}

function sent(path: string, content: string, version: string): SiteFile {
  const [, ending] = /\.(\w+)$/.exec(path) ?? [];
  if (ending === undefined) return { content, headers: HTML };
  const headers = { ...REVALIDATED, 'Content-Type': TYPES[ending] ?? '' };
  return { content, headers, version };
}

/** An answer that leads to the page, beside that which was asked for. */
function movedTo(page: string): SiteFile {
  return { content: '', headers: { Location: page } };
}

/** The Markdown with its links to other pages as they are served: not every page's file is in `docs/`. */
function linkedAsServed(markdown: string, from: ManualPage, pages: readonly ManualPage[]): string {
  const folder = posix.dirname(sourceOf(from));
  return markdown.replaceAll(/(?<=\]\()[^)\s#:]+\.md/g, (href) => {
    const page = pages.find((one) => sourceOf(one) === posix.join(folder, href));
    return page === undefined ? href : linkFrom(markdownOf(from), markdownOf(page));
  });
}

const CHANGELOG = '/docs/changelog';

/** Where a generated file says that it is one. */
const NOTE = /^<!--.*?-->\s*/s;

function missing(path: string) {
  return {
    path,
    title: 'Page not found',
    says: 'There is no such page.',
    body: '<h1>Page not found</h1>\n<p class="lead">There is no page at this address. The navigation lists all there are.</p>\n',
  };
}

function llmsText(chapters: readonly Chapter[]): string {
  const lists = chapters.map(({ title, pages }) => {
    const links = pages.map(
      (page) => `- [${page.title}](${SHOWN_ADDRESS}${markdownOf(page)}): ${page.says}`,
    );
    return `## ${title}\n\n${links.join('\n')}`;
  });
  return `# Ledgerstone

> Ledgerstone stores the records of funeral homes that other systems send to it. Every record is created or updated by \`POST /v1/<resource>/upsert\` at ${SHOWN_ADDRESS}, with an API key as the username of HTTP Basic authentication or as a bearer token. What is sent is merged into what is stored; repeating a request changes nothing.

The whole interface as OpenAPI 3.1 is at ${SHOWN_ADDRESS}/openapi.json. An error names every fault of a request in \`errors\`, each with \`param\`, \`code\` and \`message\`.

${lists.join('\n\n')}
`;
}
