/** The page that every address of the console is answered with: the frame, and the description of the records as data. */
import type { PageBundle } from './bundle.ts';

/** Nothing runs, loads or is asked but what comes from this service, and no text becomes a script. */
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

/** `description`: what the records are, as JSON. */
export function framePage({ script, style, early }: PageBundle, description: string): string {
  const data = description.replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Ledgerstone</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<script src="/console/assets/${early}"></script>
<link rel="stylesheet" href="/console/assets/${style}">
<script type="module" src="/console/assets/${script}"></script>
<script type="application/json" id="description">${data}</script>
</head>
<body>
<div id="app"><div class="frame"><div class="side"></div><main></main></div></div>
<noscript><p class="noscript">The console needs JavaScript.</p></noscript>
</body>
</html>
`;
}
