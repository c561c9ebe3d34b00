/** Serves imports: the uploads that wait, undoing as jobs, and what goes with time or with an erasure. */
import type { Served, ServeParts } from '../../services/served.ts';
import type { Store } from '../../store/promises/store.ts';
import { forgetMentions } from './serves/memory.ts';
import { refusedRows } from './serves/refused-rows.ts';
import { createUndoing } from './serves/undoing.ts';

const AT_ONCE = 200;

export const serve = ({ store, resources }: ServeParts) => {
  const { imports } = store;
  const undoing = createUndoing(store, resources);
  return {
    service: { undoing },
    upkeep: [
      { piece: () => imports.purge(), failure: 'old rejected rows of imports were not removed' },
      { piece: () => imports.uploads.purge(), failure: 'old uploads were not removed' },
    ],
    jobs: [undoing],
    files: {
      async rows(account, mentions, how) {
        // Files that wait are not searched: all of the account go, and are sent again.
        if (how.cuts) await imports.uploads.remove(await imports.uploads.ofAccount(account));
        const forgotten = await forgetMentions(imports, account, mentions, how);
        const { files, rows } = await refusedRows(imports, account, mentions, how);
        return { files: files + forgotten, rows: rows + forgotten };
      },
      named: (account, mentions) => namedIn(imports, account, mentions),
    },
    close: () => undoing.close(),
  } satisfies Served;
};

/** Imports whose files are called after somebody: names stay. */
async function namedIn(
  imports: Store['imports'],
  account: string,
  mentions: (text: string) => boolean,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let before: string | undefined; ; ) {
    const some = await imports.list(AT_ONCE, before);
    for (const { unique_identifier, accounts, files } of some)
      if (accounts.includes(account) && files.some(({ name }) => mentions(name)))
        found.push(unique_identifier);
    before = some.at(-1)?.unique_identifier;
    if (before === undefined || some.length < AT_ONCE) return found;
  }
}
