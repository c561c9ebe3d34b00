/** What the pages of the reference are made with: one style sheet, no scripts, nothing from elsewhere. */

/** Sent with every page: nothing may run in it, load into it or frame it. */
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
} as const;

/** A whole page. `title` is plain text, `body` is HTML. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

/** Text as HTML, safe between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Text in inline Markdown, of which only \`code\` is known, as HTML. */
export function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

const STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#fdfcfa, #16181c);
  --card: light-dark(#fff, #1d2026);
  --ink: light-dark(#22252b, #dfe2e8);
  --quiet: light-dark(#5d6470, #9aa2b1);
  --line: light-dark(#e3dfd8, #32363f);
  --code: light-dark(#f2efe9, #272b33);
  --link: light-dark(#1f5fa8, #84b6f4);
  --warm: light-dark(#8a4b12, #e8b27a);
  --warm-back: light-dark(#faeedd, #3a2c1c);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0 auto; padding: 2.5rem 1.25rem 5rem; max-width: 48rem;
  background: var(--page); color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
}
a { color: var(--link); text-underline-offset: .15em; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; letter-spacing: -.01em; }
h2 { font-size: 1.35rem; line-height: 1.3; margin: 2.75rem 0 .75rem; }
h3 { font-size: 1.05rem; margin: 0; overflow-wrap: anywhere; }
p, ul { margin: .6rem 0; }
ul { padding-left: 1.25rem; }
li { margin: .3rem 0; }
.lead { color: var(--quiet); font-size: 1.1rem; margin-bottom: 1.5rem; }
.quiet { color: var(--quiet); }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875em; }
code { background: var(--code); border-radius: .25rem; padding: .1em .3em; overflow-wrap: anywhere; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; overflow-x: auto; line-height: 1.5; }
pre code { background: none; padding: 0; font-size: inherit; white-space: pre-wrap; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.25rem; margin: .9rem 0; }
.card:target { border-color: var(--warm); box-shadow: 0 0 0 2px var(--warm-back); }
.card h3 { display: flex; flex-wrap: wrap; align-items: baseline; gap: .35rem .75rem; }
.card h3 code { background: none; padding: 0; font-size: 1em; }
.card h3 a { color: inherit; text-decoration: none; }
.card h3 a:hover { text-decoration: underline; }
.tag { color: var(--warm); background: var(--warm-back); border-radius: 1rem; padding: .05rem .6rem; font-size: .8rem; font-weight: 600; white-space: nowrap; }
.tag.plain { color: var(--quiet); background: var(--code); font-weight: 400; }
dl { margin: .5rem 0 0; display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1rem; }
dt { color: var(--quiet); font-size: .875rem; padding-top: .1rem; }
dd { margin: 0; min-width: 0; }
nav dl { gap: .6rem 1rem; margin: 0; grid-template-columns: 11rem 1fr; }
nav dd a { display: inline-block; margin-right: .9rem; text-decoration: none; font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .85rem; }
nav dd a:hover { text-decoration: underline; }
@media (max-width: 36rem) { dl, nav dl { grid-template-columns: 1fr; gap: .1rem; } dd { margin-bottom: .5rem; } }
`;
