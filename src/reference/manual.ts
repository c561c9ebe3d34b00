/** The manual as it is served: made once, by a thread of its own, when somebody first asks. */
import { Worker } from 'node:worker_threads';
import { markdownOf } from './layout.ts';
import { FILES } from './links.ts';
import type { Made } from './make.ts';
import { chaptersOf, type PagedResource } from './pages.ts';

/** More than the thread has ever needed, and little enough that nothing else suffers. */
const LIMITS = { maxOldGenerationSizeMb: 128 };
/** A failure is told to all who ask within this time, so that nobody makes threads by asking. */
const FAILED_MS = 5_000;

export class Manual {
  readonly #resources: readonly PagedResource[];
  #made: Promise<Made> | undefined;

  constructor(resources: readonly PagedResource[]) {
    this.#resources = resources;
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
    if (this.#made === undefined) {
      this.#made = makeInThread(this.#resources);
      this.#made.catch(() => {
        setTimeout(() => {
          this.#made = undefined;
        }, FAILED_MS).unref();
      });
    }
    return this.#made;
  }
}

function makeInThread(resources: readonly PagedResource[]): Promise<Made> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: resources,
      resourceLimits: LIMITS,
    });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The thread that makes the pages has ended.')));
    worker.unref();
  });
}
