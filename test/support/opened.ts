/** Stores that end with the test, the suite or the file that opens them. */
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/promises/store.ts';
import { whenOver } from './at-end.ts';

export async function opened(options: Parameters<typeof openStore>[0]): Promise<Store> {
  const store = await openStore(options);
  whenOver(() => store.close());
  return store;
}
