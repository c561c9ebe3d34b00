/** The changelog as an Atom feed (RFC 4287): one entry for each version that was released. */
import { escapeHtml } from './page/html.ts';
import { render } from './page/render.ts';
import { SHOWN_ADDRESS } from './pages.ts';

/** Unreleased changes have no date. */
const RELEASE = /^## (\S+) - (\d{4}-\d\d-\d\d)\n/;

/** `resolve` gives the path of a link in the changelog, or `undefined` for one that leads nowhere here. */
export function changelogFeed(
  markdown: string,
  resolve: (href: string) => string | undefined,
): string {
  const page = `${SHOWN_ADDRESS}/docs/changelog`;
  const absolute = (href: string): string | undefined => {
    const path = resolve(href);
    return path === undefined ? undefined : new URL(path, page).href;
  };
  const releases = markdown.split(/^(?=## )/m).flatMap((part) => {
    const [heading = '', version = '', day] = RELEASE.exec(part) ?? [];
    const { html } = render(part.slice(heading.length), absolute);
    const updated = `${day}T00:00:00Z`;
    return heading === ''
      ? []
      : [{ version: escapeHtml(version), updated, html: escapeHtml(html) }];
  });
  const entries = releases.map(
    ({ version, updated, html }) => `<entry>
<title>Ledgerstone ${version}</title>
<id>${page}#${version}</id>
<link href="${page}"/>
<updated>${updated}</updated>
<content type="html">${html}</content>
</entry>
`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Changes of Ledgerstone</title>
<id>${page}</id>
<link rel="self" href="${page}.atom"/>
<link href="${page}"/>
<author><name>Ledgerstone</name></author>
<updated>${releases[0]?.updated ?? '1970-01-01T00:00:00Z'}</updated>
${entries.join('')}</feed>
`;
}
