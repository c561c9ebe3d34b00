/** Ways to load that only rarely opened screens need. */
import { useEffect } from 'preact/hooks';
import { type Loaded, useLoad } from '../load.ts';
import { ask } from '../service/api.ts';

/** Loads what is at an address of the console's own. */
export function useGet<T>(path: string): Loaded<T> {
  return useLoad(path, (signal) => ask<T>('GET', path, undefined, { signal }));
}

/** Loads again and again while there is something to wait for; `undefined`: there is nothing. */
export function usePolled(ms: number | undefined, reload: () => void): void {
  useEffect(() => {
    if (ms === undefined) return;
    const timer = setInterval(reload, ms);
    return () => clearInterval(timer);
  }, [ms, reload]);
}
