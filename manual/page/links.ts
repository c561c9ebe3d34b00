/** Rewrites links between the files of `docs/` to links between served pages. */
import { posix } from 'node:path';
import { type ManualPage, sourceOf } from '../pages.ts';

/** Files that are served as they are, by their path from the project's folder. */
export const FILES: ReadonlyMap<string, string> = new Map([
  ['openapi.json', '/openapi.json'],
  ['docs/prometheus/alerts.yml', '/docs/prometheus/alerts.yml'],
  ['docs/grafana/ledgerstone.json', '/docs/grafana/ledgerstone.json'],
]);

/**
 * A path of this service as a page at another path reaches it: relative, so that it also works behind a proxy that
 * serves everything below a path of its own.
 */
export function linkFrom(from: string, to: string): string {
  const [path = '', hash] = to.split('#');
  const folder = posix.relative(posix.dirname(from), posix.dirname(path));
  const relative = posix.join(folder, posix.basename(path));
  return hash === undefined ? relative : `${relative}#${hash}`;
}

/** Resolves a link of a file; `undefined` where it leads to something that is not served. */
export function linkResolver(
  pages: readonly ManualPage[],
): (page: ManualPage, href: string) => string | undefined {
  const paths = new Map([...FILES, ...pages.map((page) => [sourceOf(page), page.path] as const)]);
  return (page, href) => {
    if (/^(?:https?:|#)/.test(href)) return href;
    const [file = '', hash] = href.split('#');
    const path = paths.get(posix.join(posix.dirname(sourceOf(page)), file));
    if (path === undefined) return undefined;
    return linkFrom(page.path, hash === undefined ? path : `${path}#${hash}`);
  };
}
