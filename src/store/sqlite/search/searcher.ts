/**
 * The serving thread's side of the search thread, which it starts for a request, and ends when there was none for a
 * while: a service that has nothing to do has its memory back.
 */
import { statSync } from 'node:fs';
import { type NotedPiece, tellOf } from '../../../core/each-account.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import type { SearchIndex } from '../../promises/search.ts';
import { StoreUnavailable } from '../../promises/store.ts';
import type { OpenedFile } from '../file/file-places.ts';
import { createThread } from '../threads/thread.ts';
import { searchFile } from './file.ts';

export interface SearchData {
  readonly path: string;
  readonly files: readonly OpenedFile[];
  readonly shapes: readonly RecordShape[];
  readonly historyDays: number;
}

const IDLE_MS = 20_000;

interface SearcherOptions {
  /** A text that changes with each change of a record; `undefined` where that is not known. */
  readonly version?: () => string | undefined;
  readonly idleMs?: number;
}

export function createSearcher(
  data: SearchData,
  { version: versionNow = () => undefined, idleMs = IDLE_MS }: SearcherOptions,
): SearchIndex & { close(): Promise<void> } {
  /** The version of the store that the index has all of, and the file that has it. */
  let fed: string | undefined;
  let fedFile: number | undefined;
  /** A file that is gone is made again, also where no record has changed. */
  const fileNow = () => statSync(searchFile(data.path), { throwIfNoEntry: false })?.ino;
  /** The count that was made in it then. */
  let counted: { readonly at: string; readonly count: number } | undefined;
  const thread = createThread(new URL('./search-thread.ts', import.meta.url), data, { idleMs });

  async function call<Result>(method: string, ...values: readonly unknown[]): Promise<Result> {
    try {
      return await thread.call(method, ...values);
    } catch (error) {
      fed = undefined;
      const words = error instanceof Error ? error.message : String(error);
      throw new StoreUnavailable(`The index of search gave an error: ${words}`);
    }
  }

  return {
    find: (query) => call('find', query),
    findNear: (query) => call('findNear', query),
    has: (account, records) => call('has', account, records),
    async cut() {
      const at = versionNow() === fed ? fed : undefined;
      // Each scrape asks: the thread is not kept for that.
      if (at !== undefined && counted?.at === at) return counted.count;
      const count = await call<number>('cut');
      counted = at === undefined ? undefined : { at, count };
      return count;
    },
    scan: (query) => call('scan', query),
    async lag(accounts) {
      if (fed !== undefined && versionNow() === fed) return { building: 0, since: undefined };
      return call('lag', accounts);
    },
    /** Asks the thread only where a record has changed since the index had all. */
    async feed(watch) {
      const version = versionNow();
      if (version !== undefined && version === fed && fileNow() === fedFile) return false;
      const { more, noted, rests } = await call<NotedPiece & { readonly rests: boolean }>('feed');
      tellOf(noted, watch);
      fed = more || rests ? undefined : version;
      fedFile = fileNow();
      return more;
    },
    close: () => thread.close(),
  };
}
