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

export class SentAgain {
  readonly #store: Pick<Store, 'erasing' | 'erasureNotes'>;
  readonly #now: () => number;
  #refused = new Map<string, Refused>();

  constructor(store: Pick<Store, 'erasing' | 'erasureNotes'>, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Counts the refused drafts of a commit. */
  note(drafts: readonly Draft[], outcomes: readonly Outcome[]): void {
    for (const [at, one] of outcomes.entries()) {
      const draft = drafts[at];
      if (one.outcome === 'erased' && !one.past && draft !== undefined) this.#add(draft);
    }
  }

  /** Writes the counts since the last flush. */
  async flush(): Promise<void> {
    const refused = [...this.#refused.values()];
    this.#refused = new Map();
    const now = this.#now();
    const notes = new Map<string, { -readonly [Name in keyof ErasureNote]: ErasureNote[Name] }>();
    for (const { draft, by, count } of refused) {
      const { account } = draft;
      const erasure = await this.#store.erasing.refuses(draft);
      if (erasure === undefined) continue;
      const of = {
        account,
        erasure,
        kind: 'sent_again',
        about: by,
        state: '',
        reached: '',
      } as const;
      const note = notes.getOrInsertComputed(`${erasure} ${by}`, () => {
        return { ...of, count: 0, first_at: now, last_at: now };
      });
      note.count += count;
    }
    await this.#store.erasureNotes.put([...notes.values()]);
  }

  #add({ shape, account, parent, external_identifier, by: sender = IMPORT }: Draft): void {
    const by = sender.startsWith('imp_') ? IMPORT : sender;
    const name = JSON.stringify([by, shape.resource, account, parent, external_identifier]);
    const known = this.#refused.get(name);
    if (known !== undefined) known.count += 1;
    else if (this.#refused.size < MAX_DRAFTS) {
      const draft = { shape, account, parent, external_identifier };
      this.#refused.set(name, { draft, by, count: 1 });
    }
  }
}
