/** The console as it is served: its scripts, and a page in each language with the description of the records as data. */
import type { Resource } from '../../src/core/schema/define.ts';
import { consolePage, type SiteFile } from '../../src/edge/site/built.ts';
import { type ShellTexts, shellOf } from '../src/shell.ts';
import { makeBundle, type PageBundle, type PageScript } from './bundle.ts';
import { describe } from './describe.ts';
import { type Description, described } from './language.ts';
import { readMessages } from './messages.ts';

/** By the path at which each is served; a page by the name of its language. */
export async function makeConsole(resources: readonly Resource[]): Promise<Map<string, SiteFile>> {
  const bundle = await makeBundle();
  const description = describe(resources);
  const files = new Map<string, SiteFile>();
  for (const [language, script] of bundle.pages) {
    const content = framePage(bundle, script, description, language);
    files.set(consolePage(language), { content, headers: FRAME_HEADERS });
  }
  for (const [name, content] of bundle.files) {
    const headers = name.endsWith('.css') ? STYLE_HEADERS : SCRIPT_HEADERS;
    files.set(`/console/assets/${name}`, { content, headers });
  }
  return files;
}

const ASSET_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'public, max-age=31536000, immutable',
};
const SCRIPT_HEADERS = { ...ASSET_HEADERS, 'Content-Type': 'text/javascript; charset=utf-8' };
const STYLE_HEADERS = { ...ASSET_HEADERS, 'Content-Type': 'text/css; charset=utf-8' };

/** Only scripts, styles and requests of this service are allowed, and no text becomes a script. */
const FRAME_HEADERS = {
  'Cache-Control': 'no-cache',
  'Content-Type': 'text/html; charset=utf-8',
  Vary: 'accept-language, cookie',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * `english`: what the records are. The early script needs it, and stands before
 * the style sheet, for which the browser would let it wait.
 */
function framePage(
  { style, early }: PageBundle,
  { script, beside }: PageScript,
  english: Description,
  language: string,
): string {
  const description = described(english, language);
  const texts = readMessages<ShellTexts>(language, 'page');
  const { noScript } = readMessages<Record<string, string>>(language, 'language');
  const data = JSON.stringify(description).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Ledgerstone</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<script type="application/json" id="description">${data}</script>
<script src="/console/assets/${early}"></script>
<link rel="stylesheet" href="/console/assets/${style}">
<script type="module" src="/console/assets/${script}"></script>
${beside.map((name) => `<link rel="modulepreload" href="/console/assets/${name}">`).join('\n')}
</head>
<body>
<noscript><p class="noscript">${noScript}</p></noscript>
<div id="app">${shellOf(description.resources, texts)}</div>
</body>
</html>
`;
}
