/** Lists ticks whose words do not tell what they mean, and notes what people say that they mean. */
import type { Resource } from '../../../core/schema/define.ts';
import type { Principal } from '../../../records/auth/principal.ts';
import type { ServeParts } from '../../../services/served.ts';
import { accountsFor, foundIn } from '../../../store/promises/refusals.ts';
import type { MEANINGS, Tick } from '../declares.ts';

export function createTicks({ store, resources, now }: ServeParts) {
  const { followUp: book } = store;
  const [root] = resources as readonly [Resource];

  /** Follows the logs of these accounts from now on, where nobody has asked for follow-ups before. */
  const begins = async (accounts: readonly string[]): Promise<void> => {
    const begun = await book.leftOut(accounts);
    if (begun.length < accounts.length) for (const one of accounts) await book.begin(one);
  };

  return {
    begins,

    /** How often cards of these accounts came with one of which nobody has said it; empty where none did. */
    async unclearIn(accounts: readonly string[]) {
      const unclear = await book.unsaid(accounts);
      return unclear > 0 ? { unclear } : {};
    },

    /** The ticks on cards whose words do not tell what they mean; `meaning` may be `unsaid`, too. */
    async ticks(
      caller: Principal,
      {
        account,
        ...query
      }: Readonly<Partial<Record<'account' | 'meaning' | 'after', string | undefined>>> & {
        readonly limit: number;
      },
    ): Promise<readonly Tick[]> {
      const accounts = accountsFor(caller.scope, root.shape, account);
      await begins(accounts);
      return book.ticks({ ...query, accounts });
    },

    /** Says what a tick means, for cards that come and for those that are there. Throws `resource_missing`. */
    async means(
      { scope, key: by }: Principal,
      id: string,
      meaning: (typeof MEANINGS)[number],
    ): Promise<Tick> {
      const found = foundIn(scope, 'tick', await book.tick(id));
      if (found.meaning === meaning) return found;
      const at = now();
      const position = (await store.log.last(found.account))?.position ?? 0;
      await book.means(found, { meaning, by, at, position });
      return { ...found, meaning, said_by: by, said_at: at };
    },
  };
}
