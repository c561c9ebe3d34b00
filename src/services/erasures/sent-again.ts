/** Counts refused drafts that would have brought erased records back, by sender. */
import type { ErasureNote } from '../../store/books/erasing/notes.ts';
import type { Draft, Outcome, Store } from '../../store/promises/store.ts';

/** The most distinct drafts until the next flush; further ones are not counted. */
const MAX_DRAFTS = 1_000;
/** The name that all imports share here, since each import has its own identifier. */
const IMPORT = 'import';

interface Refused {
  readonly draft: Pick<Draft, 'shape' | 'account' | 'parent' | 'external_identifier'>;
  readonly by: string;
  count: number;
}

export function createSentAgain(
  { erasing, erasureNotes }: Pick<Store, 'erasing' | 'erasureNotes'>,
  clock: () => number,
) {
  let refused = new Map<string, Refused>();

  const add = ({ shape, account, parent, external_identifier, by: sender = IMPORT }: Draft) => {
    const by = sender.startsWith('imp_') ? IMPORT : sender;
    const name = JSON.stringify([by, shape.resource, account, parent, external_identifier]);
    const known = refused.get(name);
    if (known !== undefined) known.count += 1;
    else if (refused.size < MAX_DRAFTS) {
      const draft = { shape, account, parent, external_identifier };
      refused.set(name, { draft, by, count: 1 });
    }
  };

  return {
    /** Counts the refused drafts of a commit. */
    note(drafts: readonly Draft[], outcomes: readonly Outcome[]): void {
      for (const [at, one] of outcomes.entries()) {
        const draft = drafts[at];
        if (one.outcome === 'erased' && !one.past && draft !== undefined) add(draft);
      }
    },

    /** Writes the counts since the last flush. */
    async flush(): Promise<void> {
      const all = [...refused.values()];
      refused = new Map();
      const now = clock();
      const notes = new Map<string, ErasureNote>();
      for (const { draft, by: about, count } of all) {
        const { account } = draft;
        const erasure = await erasing.refuses(draft);
        if (erasure === undefined) continue;
        const name = `${erasure} ${about}`;
        const before = notes.get(name)?.count ?? 0;
        const note = { ...NOTE, account, erasure, about, count: before + count };
        notes.set(name, { ...note, first_at: now, last_at: now });
      }
      await erasureNotes.put([...notes.values()]);
    },
  };
}

const NOTE = { kind: 'sent_again', state: '', reached: '' } as const;
