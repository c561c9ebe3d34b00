/** The manual as it is served: made once, by a separate process, on first request. */

import type { Made } from './make.ts';
import { markdownOf } from './page/layout.ts';
import { FILES } from './page/links.ts';
import { chaptersOf, type PagedResource } from './pages.ts';
import { ProcessValue } from './process-value.ts';

export class Manual {
  readonly #resources: readonly PagedResource[];
  readonly #made: ProcessValue<Made>;

  constructor(resources: readonly PagedResource[]) {
    this.#resources = resources;
    this.#made = new ProcessValue(new URL('./manual-process.ts', import.meta.url), resources);
  }

  /** Every path that there is. */
  get paths(): readonly string[] {
    const pages = chaptersOf(this.#resources).flatMap((chapter) => chapter.pages);
    return [
      '/',
      '/llms.txt',
      ...pages.flatMap((page) => [page.path, markdownOf(page)]),
      ...[...FILES.values()].filter((path) => path.startsWith('/docs/')),
      '/docs/search.json',
      '/docs/changelog.atom',
      '/docs/reference.css',
      '/docs/reference.js',
      '/docs/icon.svg',
    ];
  }

  made(): Promise<Made> {
    return this.#made.made();
  }
}
