/** Makes every text of the manual: pages, their Markdown, the search index, style sheet and script. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { changelogFeed } from './changelog.ts';
import { frontBody, HOME, homeBody } from './home.ts';
import { llmsText } from './llms.ts';
import { type Frame, framed, ICON, markdownOf } from './page/layout.ts';
import { FILES, linkFrom, linkResolver } from './page/links.ts';
import { render } from './page/render.ts';
import {
  chaptersOf,
  FRONT,
  isFoundLate,
  type ManualPage,
  missingPages,
  type PagedResource,
  SHOWN_ADDRESS,
  sourceOf,
} from './pages.ts';
import { searchable } from './search.ts';

const PROJECT = join(import.meta.dirname, '../../..');
const BROWSER = join(import.meta.dirname, 'browser');

export interface Made {
  /** By the path at which it is served. */
  readonly texts: ReadonlyMap<string, string>;
  /** Of the style sheet and the script. */
  readonly version: string;
}

export function makeManual(resources: readonly PagedResource[]): Made {
  const chapters = chaptersOf(resources);
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
  texts.set('/', framed(frame, { ...HOME, body: homeBody(chapters, SHOWN_ADDRESS) }));
  for (const path of missingPages) texts.set(path, framed(frame, missing(path)));
  texts.set(
    '/docs/search.json',
    JSON.stringify(
      read.flatMap(({ page, rendered }) => searchable(page, rendered, isFoundLate(chapters, page))),
    ),
  );
  texts.set('/llms.txt', llmsText(chapters, SHOWN_ADDRESS));
  texts.set('/docs/reference.css', css);
  texts.set('/docs/reference.js', js);
  texts.set('/docs/icon.svg', ICON);
  for (const [file, path] of FILES) {
    if (path.startsWith('/docs/')) texts.set(path, readFileSync(join(PROJECT, file), 'utf8'));
  }
  return { texts, version };
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
