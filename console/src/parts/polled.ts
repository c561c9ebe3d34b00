/** Ways to load that only rarely opened screens need. */
import { useEffect } from 'preact/hooks';
import { List } from '../../../client/src/list.ts';
import { type Loaded, useLoad } from '../load.ts';
import { ask, type PageOf } from '../service/api.ts';

/** Loads what is at an address of the console's own. */
export function useGet<T>(path: string): Loaded<T> {
  return useLoad(path, (signal) => ask<T>('GET', path, undefined, { signal }));
}

/** Loads all of a list of the console's own, page after page. */
export function useAll<T extends object>(path: string): Loaded<PageOf<T>> {
  return useLoad(path, async (signal) => {
    const pages = new List<T>(
      (query) => ask('GET', path, undefined, { signal, ...(query && { query }) }),
      false,
    );
    return { data: await pages.all(), has_more: false };
  });
}

/** Loads again and again while there is something to wait for; `undefined`: there is nothing. */
export function usePolled(ms: number | undefined, reload: () => void): void {
  useEffect(() => {
    if (ms === undefined) return;
    const timer = setInterval(reload, ms);
    return () => clearInterval(timer);
  }, [ms, reload]);
}
