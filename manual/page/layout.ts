/** The layout around the text of every page: head, navigation, table of contents, and where to go on. */

import type { Chapter, ManualPage } from '../pages.ts';
import { escapeHtml } from './html.ts';
import { linkFrom } from './links.ts';
import type { Heading } from './render.ts';

export interface Frame {
  readonly chapters: readonly Chapter[];
  /** The version of style sheet and script, so that browsers may cache them. */
  readonly version: string;
}

export interface Framed {
  /** Where the page is served. */
  readonly path: string;
  readonly title: string;
  readonly says: string;
  /** HTML. */
  readonly body: string;
  readonly headings?: readonly Heading[];
  /** The page of the navigation that it is. */
  readonly page?: ManualPage;
}

export function framed(
  { chapters, version }: Frame,
  { path, title, says, body, headings = [], page }: Framed,
): string {
  const to = (target: string): string => escapeHtml(linkFrom(path, target));
  return `<!doctype html>
<html lang="en" data-root="${to('/')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Ledgerstone</title>
<meta name="description" content="${escapeHtml(says)}">
<link rel="icon" href="${to('/docs/icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${to('/docs/reference.css')}?v=${version}">
<script src="${to('/docs/reference.js')}?v=${version}"></script>
${page === undefined ? '' : `<link rel="alternate" type="text/markdown" href="${to(markdownOf(page))}">\n`}${path === '/docs/changelog' ? `<link rel="alternate" type="application/atom+xml" href="${to('/docs/changelog.atom')}">\n` : ''}</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<button type="button" class="menu" popovertarget="nav" aria-label="Menu">${MENU}</button>
<a class="brand" href="${to('/')}">${STONE}<span>Ledgerstone</span></a>
<button type="button" class="search" hidden><span>Search</span><kbd>/</kbd></button>
<a class="plain" href="${to('/docs')}">Docs</a>
<a class="plain" href="${to('/openapi.json')}">OpenAPI</a>
<button type="button" class="theme" hidden aria-label="Light or dark">${HALF}</button>
</header>
<div class="columns">
<nav id="nav" popover aria-label="Pages">
${chapters.map((chapter) => navigation(chapter, path, to)).join('\n')}
</nav>
<main id="content">
${body}${page === undefined ? '' : footer(chapters, page, to)}
</main>
${contents(headings)}</div>
<dialog class="finder" aria-label="Search">
<form method="dialog"><input type="search" placeholder="Search the documentation" aria-label="Search the documentation" autocomplete="off" spellcheck="false"><button type="submit">Close</button></form>
<ol></ol>
<p class="none" role="status"></p>
</dialog>
</body>
</html>
`;
}

function navigation({ title, pages }: Chapter, path: string, to: (path: string) => string): string {
  const links = pages.map((page) => {
    const current = page.path === path ? ' aria-current="page"' : '';
    const inner = page.file.includes('/') ? ' class="inner"' : '';
    return `<li${inner}><a href="${to(page.path)}"${current}>${escapeHtml(page.title)}</a></li>`;
  });
  return `<h2>${escapeHtml(title)}</h2>\n<ul>\n${links.join('\n')}\n</ul>`;
}

/** Two levels, where there is more than one heading. */
function contents(headings: readonly Heading[]): string {
  const shown = headings.filter(({ depth }) => depth <= 3);
  const outer = shown.filter(({ depth }) => depth === 2);
  const listed = shown.length > 24 ? outer : shown;
  if (listed.length < 2) return '';
  const links = listed.map(
    ({ id, depth, text }) =>
      `<li${depth > 2 ? ' class="inner"' : ''}><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<aside class="contents" aria-label="On this page">\n<h2>On this page</h2>\n<ul>\n${links.join('\n')}\n</ul>\n</aside>\n`;
}

function footer(
  chapters: readonly Chapter[],
  page: ManualPage,
  to: (path: string) => string,
): string {
  const all = chapters.flatMap(({ pages }) => pages);
  const index = all.findIndex(({ path }) => path === page.path);
  const link = (other: ManualPage | undefined, rel: 'prev' | 'next', word: string): string =>
    other === undefined
      ? ''
      : `<a rel="${rel}" href="${to(other.path)}"><small>${word}</small>${escapeHtml(other.title)}</a>`;
  return `
<footer>
<nav class="onward" aria-label="Previous and next page">${link(all[index - 1], 'prev', 'Previous')}${link(all[index + 1], 'next', 'Next')}</nav>
<p><a href="${to(markdownOf(page))}">This page as Markdown</a> · <a href="${to('/llms.txt')}">llms.txt</a></p>
</footer>`;
}

/** Where the Markdown of a page is. */
export function markdownOf({ file }: ManualPage): string {
  return `/docs/${file}`;
}

const STONE =
  '<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="M5 21V10a7 7 0 0 1 14 0v11z" fill="currentColor"/><path d="M9 11h6M9 14.5h6M9 18h4" stroke="var(--page)" stroke-width="1.6" stroke-linecap="round"/></svg>';
const MENU =
  '<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M3 5.5h14M3 10h14M3 14.5h14" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/></svg>';
const HALF =
  '<svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><circle cx="10" cy="10" r="7.2" fill="none" stroke="currentColor" stroke-width="1.6"/><path d="M10 2.8a7.2 7.2 0 0 1 0 14.4z" fill="currentColor"/></svg>';

/** The sign of the pages in a browser's tab. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M4 23V10a8 8 0 0 1 16 0v13z" fill="#0d6b66"/><path d="M8.5 11h7M8.5 15h7M8.5 19h4.5" stroke="#fff" stroke-width="1.8" stroke-linecap="round"/></svg>\n';
