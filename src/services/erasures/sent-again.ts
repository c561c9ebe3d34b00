/** Counts refused drafts that would have brought erased records back, by sender. */
import { type EachAccounts, eachUnwatched } from '../../core/each-account.ts';
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
  { each = eachUnwatched }: { readonly each?: EachAccounts } = {},
) {
  const accounts = each('erased records sent again');
  let refused = new Map<string, Refused>();

  const add = ({ shape, account, parent, external_identifier, by: sender = IMPORT }: Draft) => {
    const by = sender.startsWith('imp_') ? IMPORT : sender;
    const draft = { shape, account, parent, external_identifier };
    const name = nameOf({ draft, by });
    const known = refused.get(name);
    if (known !== undefined) known.count += 1;
    else if (refused.size < MAX_DRAFTS) refused.set(name, { draft, by, count: 1 });
  };

  return {
    /** Counts the refused drafts of a commit. */
    note(drafts: readonly Draft[], outcomes: readonly Outcome[]): void {
      for (const [at, one] of outcomes.entries()) {
        const draft = drafts[at];
        if (one.outcome === 'erased' && !one.too_old && draft !== undefined) add(draft);
      }
    },

    /** Writes the counts since the last flush. */
    async flush(): Promise<void> {
      const all = [...refused.values()];
      refused = new Map();
      const now = clock();
      const byAccount = Map.groupBy(all, ({ draft }) => draft.account);
      const counting = accounts.through(
        [...byAccount],
        ([account]) => account,
        async ([account, own]) => {
          const notes = new Map<string, ErasureNote>();
          for (const { draft, by: about, count } of own) {
            const erasure = await erasing.refuses(draft);
            if (erasure === undefined) continue;
            const name = `${erasure} ${about}`;
            const before = notes.get(name)?.count ?? 0;
            const note = { ...NOTE, account, erasure, about, count: before + count };
            notes.set(name, { ...note, first_at: now, last_at: now });
          }
          await erasureNotes.put([...notes.values()]);
          byAccount.delete(account);
        },
      );
      await counting.finally(() => {
        // What could not be counted is counted with the next.
        for (const one of [...byAccount.values()].flat()) {
          const name = nameOf(one);
          const added = refused.get(name)?.count ?? 0;
          refused.set(name, { ...one, count: one.count + added });
        }
      });
    },
  };
}

function nameOf({ draft, by }: Pick<Refused, 'draft' | 'by'>): string {
  const { shape, account, parent, external_identifier } = draft;
  return JSON.stringify([by, shape.resource, account, parent, external_identifier]);
}

const NOTE = { kind: 'sent_again', state: '', reached: '' } as const;
