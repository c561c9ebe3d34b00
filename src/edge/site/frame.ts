/** The page for every address of the console: the frame, and the description of the records as data. */
import type { Language } from '../../../console/src/languages/languages.ts';
import { shellOf } from '../../../console/src/shell.ts';
import type { PageBundle } from './bundle.ts';
import { type Description, described, pageTexts } from './language.ts';

/** Only scripts, styles and requests of this service are allowed, and no text becomes a script. */
export const FRAME_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
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
export function framePage(
  { pages, style, early }: PageBundle,
  english: Description,
  language: Language,
): string {
  const { script, beside } = pages[language];
  const description = described(english, language);
  const { texts, noScript } = pageTexts(language);
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
