/** The pages at `/` and `/docs`: what this service is, and where to go on. They show no data and need no key. */

import { highlight } from './page/highlight.ts';
import { escapeHtml } from './page/html.ts';
import { linkFrom } from './page/links.ts';
import { type Chapter, FRONT, INTRODUCTION, SHOWN_ADDRESS } from './pages.ts';

export const HOME = {
  path: '/',
  title: 'The records of funeral homes',
  says: INTRODUCTION,
} as const;

export function homeBody(chapters: readonly Chapter[]): string {
  const to = (path: string): string => escapeHtml(linkFrom('/', path));
  const request = highlight(`curl -u sk_test_YOUR_KEY: ${SHOWN_ADDRESS}/v1/accounts`, 'sh');
  return `<div class="hero">
<h1>Ledgerstone</h1>
<p class="lead">${INTRODUCTION}</p>
<p class="calls"><a class="call" href="${to('/docs/quick-start')}">Integrate in fifteen minutes</a> <a class="call quiet" href="${to('/docs')}">Documentation</a> <a class="call quiet" href="${to('/docs/production')}">Run it in production</a></p>
</div>
<h2 id="try-it">Try it</h2>
<p>Send the API key that your operator gave you as the username, without a password. The answer lists the accounts that the key may see.</p>
<div class="code">
<div class="bar"><span class="label">curl</span></div>
<pre tabindex="0" data-language="sh"><code>${request}</code></pre>
</div>
${chapters
  .slice(1)
  .map((chapter) => cards(chapter, to))
  .join('\n')}
<h2 id="machines">For machines</h2>
<div class="table"><table><tbody>
<tr><td><a href="${to('/openapi.json')}">/openapi.json</a></td><td>Every endpoint, field and answer, as OpenAPI 3.1</td></tr>
<tr><td><a href="${to('/llms.txt')}">/llms.txt</a></td><td>All pages as Markdown, for language models</td></tr>
<tr><td><a href="${to('/healthz')}">/healthz</a></td><td>Whether the process runs</td></tr>
<tr><td><a href="${to('/readyz')}">/readyz</a></td><td>Whether it takes records now</td></tr>
</tbody></table></div>
`;
}

export function frontBody(chapters: readonly Chapter[]): string {
  const to = (path: string): string => escapeHtml(linkFrom('/docs', path));
  const all = chapters.map((chapter) => cards(chapter, to)).join('\n');
  return `<h1>Documentation</h1>\n<p class="lead">${INTRODUCTION}</p>\n${all}\n`;
}

function cards({ title, pages }: Chapter, to: (path: string) => string): string {
  const all = pages
    .filter(({ file }) => file !== FRONT)
    .map(
      ({ path, title, says }) =>
        `<li><a href="${to(path)}"><strong>${escapeHtml(title)}</strong><span>${escapeHtml(says)}</span></a></li>`,
    );
  return `<h2 id="${title.toLowerCase().replaceAll(' ', '-')}">${escapeHtml(title)}</h2>\n<ul class="cards">\n${all.join('\n')}\n</ul>`;
}
