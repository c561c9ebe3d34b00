/** The sources of accounts, as callers read, rename and merge them. */
import { ApiError } from '../../core/errors.ts';
import type { StoredSource } from '../../core/objects/source.ts';
import { type Principal, seesKey } from '../../records/auth/principal.ts';
import type { SourceRefused } from '../../store/promises/account-book.ts';
import { noSuch } from '../../store/promises/refusals.ts';
import type { Store } from '../../store/promises/store.ts';

/** The right without which a key sees sources, and changes none. */
export const SOURCES_RIGHT = 'sources';

export type SourcesOf = ReturnType<typeof createSources>;

export function createSources({ sources: book }: Pick<Store, 'sources'>) {
  /** Lists sources of the account, or of all accounts of the caller, without those that are part of others. */
  const list = async (principal: Principal, account?: string) => {
    const { accounts } = principal.scope;
    if (account !== undefined && !accounts.has(account)) throw missing('account', 'account');
    const wanted = account === undefined ? [...accounts] : [account];
    const [all, writers] = await Promise.all([book.list(wanted), book.writers(wanted)]);
    const root = new Map(all.map(({ number, merged_into }) => [number, merged_into ?? number]));
    const keys = Map.groupBy(
      writers.filter(({ writer }) => writer.startsWith('key_') && seesKey(principal, writer)),
      ({ source }) => root.get(source),
    );
    return all
      .filter(({ merged_into }) => merged_into === null)
      .map((one) => ({ ...one, keys: (keys.get(one.number) ?? []).map(({ writer }) => writer) }));
  };

  const found = async (principal: Principal, id: string, param?: string) => {
    const one = (await list(principal)).find(({ unique_identifier }) => unique_identifier === id);
    if (one === undefined) throw missing('source', param);
    return one;
  };

  const changed = async (
    principal: Principal,
    done: StoredSource | SourceRefused,
    param: string,
  ) => {
    if (done === 'missing') throw missing('source');
    if (typeof done === 'string')
      throw new ApiError('value_invalid', { param, message: REFUSALS[done] });
    return found(principal, done.unique_identifier);
  };

  return {
    list,
    /** Throws `resource_missing` for a source that is not there for the caller; so does `merge`. */
    async rename(principal: Principal, id: string, name: string) {
      await found(principal, id);
      return changed(principal, await book.rename(id, name), 'name');
    },
    /** `grants` is called before: the keys of one may then remove what the other sent. If it rejects, nothing is merged. */
    async merge(
      principal: Principal,
      id: string,
      into: string,
      grants: (account: string) => Promise<void>,
    ) {
      const { account } = await found(principal, id);
      await found(principal, into, 'into');
      await grants(account);
      return changed(principal, await book.merge(id, into), 'into');
    },
  };
}

function missing(what: 'source' | 'account', param?: string): ApiError {
  return new ApiError('resource_missing', {
    ...(param === undefined ? {} : { param }),
    message: noSuch(what),
  });
}

const REFUSALS: Readonly<Record<Exclude<SourceRefused, 'missing'>, string>> = {
  name_taken: 'name is that of another source of the account: send another one, or merge the two.',
  same: 'into is the source itself: send the identifier of another one.',
  other_account: 'into is a source of another account: sources are merged within an account.',
};
