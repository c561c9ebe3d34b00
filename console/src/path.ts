/** The part of an address that says which screen it is of. */

export const BASE = '/console/';

/** Below `/console/`: `events/evt_…`. What no letters can be made of stays as it is, and is no screen. */
export function pathIn(pathname: string): string {
  const path = pathname.slice(BASE.length);
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
