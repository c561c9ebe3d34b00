/**
 * What this browser stores for later visits (`always`), or for this tab. Where it stores nothing, by a privacy setting or
 * because its disk is full, it is known until the page goes, and nothing fails for it.
 */

function storeOf(name: 'localStorage' | 'sessionStorage') {
  const here = new Map<string, string>();
  /** Even to look for it throws where it is forbidden. */
  const tried = (work: (storage: Storage | undefined) => unknown): string | undefined => {
    try {
      const found = work(globalThis[name]);
      return typeof found === 'string' ? found : undefined;
    } catch {
      return undefined;
    }
  };
  const read = (key: string) => tried((storage) => storage?.getItem(key));
  return {
    get: (key: string): string | undefined => here.get(key) ?? read(key),
    /** `undefined` removes it. */
    set(key: string, value: string | undefined): void {
      here.delete(key);
      if (value === undefined) tried((storage) => storage?.removeItem(key));
      else tried((storage) => storage?.setItem(key, value));
      if (value !== undefined && read(key) !== value) here.set(key, value);
    },
  };
}

export const always = storeOf('localStorage');
export const inTab = storeOf('sessionStorage');
