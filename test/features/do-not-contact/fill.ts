/** An entry of the register for stores with something of everything. */
import type { Store, StoredRecord } from '../../../src/store/promises/store.ts';

export async function fill(
  { doNotContact: book }: Store,
  { account }: StoredRecord,
): Promise<void> {
  const said = { account, said_by: 'key_1', source: 'request', reason: 'asked' } as const;
  await book.add(account, [{ ...said, kind: 'phone', value: '+14155550123' }]);
}
