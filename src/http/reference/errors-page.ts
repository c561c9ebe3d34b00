/** The page that the `doc_url` of every error leads to: one anchor for each code. */
import { type ErrorEntry, type ErrorGroup, errorGroups } from './error-groups.ts';
import { errorGuide, type GuideBlock } from './error-guide.ts';
import { advice } from './errors-markdown.ts';
import { escapeHtml, inline, page } from './html.ts';

export function errorsPage(): string {
  return page(
    'Errors · Ledgerstone',
    `<header>
<p class="quiet"><a href="../">Ledgerstone</a></p>
<h1>Errors</h1>
<p class="lead">What is answered when a request cannot be carried out, and what to do about it. Also <a href="errors.md">as Markdown</a>.</p>
</header>
<nav class="card" aria-label="All codes">
<dl>
${errorGroups.map(contents).join('\n')}
</dl>
</nav>
<main>
${errorGuide
  .map(
    ({ id, title, blocks }) =>
      `<section id="${id}">\n<h2>${inline(title)}</h2>\n${blocks.map(block).join('\n')}\n</section>`,
  )
  .join('\n')}
${errorGroups.map(group).join('\n')}
</main>`,
  );
}

function contents({ title, entries }: ErrorGroup): string {
  const links = entries.map(({ code }) => `<a href="#${code}">${code}</a>`);
  return `<dt>${escapeHtml(title)}</dt>\n<dd>${links.join('\n')}</dd>`;
}

function block(one: GuideBlock): string {
  if ('text' in one) return `<p>${inline(one.text)}</p>`;
  if ('code' in one) return `<pre tabindex="0"><code>${escapeHtml(one.code)}</code></pre>`;
  return `<ul>\n${one.points.map((point) => `<li>${inline(point)}</li>`).join('\n')}\n</ul>`;
}

function group({ status, title, again, entries }: ErrorGroup): string {
  return `<section id="status-${status}">
<h2>${escapeHtml(title)}</h2>
<p class="quiet">${advice(again)}</p>
${entries.map(entry).join('\n')}
</section>`;
}

function entry({ code, type, status, message, hint }: ErrorEntry): string {
  return `<article class="card" id="${code}">
<h3><a href="#${code}"><code>${code}</code></a> <span class="tag">${status}</span> <span class="tag plain">${type}</span></h3>
<dl>
<dt>What it means</dt>
<dd>${inline(message)}</dd>
<dt>What to do</dt>
<dd>${inline(hint)}</dd>
</dl>
</article>`;
}
