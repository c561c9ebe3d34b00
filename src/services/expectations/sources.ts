/** Which source each API key writes for, and which sources have become part of others. */
import type { Store } from '../../store/promises/store.ts';

export type KnownSources = Awaited<ReturnType<typeof knownSources>>;

export async function knownSources(
  { sources: book }: Pick<Store, 'sources'>,
  accounts: readonly string[],
) {
  const [sources, writers] = await Promise.all([book.list(accounts), book.writers(accounts)]);
  const byNumber = new Map(sources.map((one) => [one.number, one]));
  const currentOf = (number: number) =>
    byNumber.get(byNumber.get(number)?.merged_into ?? number)?.unique_identifier;
  const current = new Map(
    sources.map((one) => [one.unique_identifier, currentOf(one.number) ?? one.unique_identifier]),
  );
  const byWriter = new Map<string, string>();
  for (const { account, writer, source } of writers) {
    const found = currentOf(source);
    if (found === undefined) continue;
    byWriter.set(`${account} ${writer}`, found);
    byWriter.set(` ${writer}`, found);
  }
  return {
    /** The source of a key in an account; in any, where the account is `''`. */
    ofKey: (account: string, key: string) => byWriter.get(`${account} ${key}`),
    /** The source itself, or the one that it has become part of. */
    current: (source: string) => current.get(source) ?? source,
  };
}
