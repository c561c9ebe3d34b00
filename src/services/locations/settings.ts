/** The settings of locations and of accounts, as callers read and change them. */
import { ApiError } from '../../core/errors.ts';
import {
  effectiveSettings,
  type LocationSettings,
  type SetMembers,
} from '../../core/objects/location-settings.ts';
import type { Resource } from '../../core/schema/define.ts';
import { authorize, type Principal } from '../../records/auth/principal.ts';
import type { StoredSettings } from '../../store/promises/account-book.ts';
import { accountsFor, recordMissing } from '../../store/promises/refusals.ts';
import type { Store } from '../../store/promises/store.ts';

interface SettingsQuery {
  readonly account?: string | undefined;
  readonly starting_after?: string | undefined;
  readonly limit: number;
}

type Settled = Pick<Store, 'find' | 'findAll' | 'locationSettings'>;

export type SettingsOf = ReturnType<typeof createLocationSettings>;

/** `resources` are those that have settings: the root and the anchor. */
export function createLocationSettings(store: Settled, resources: readonly Resource[]) {
  const { locationSettings: book } = store;
  const root = resources.find(({ parent }) => parent === undefined);
  const anchor = resources.find((resource) => resource.anchor);
  if (root === undefined || anchor === undefined) throw new TypeError('There are no locations.');

  const accountOf = async ({ scope }: Principal, resource: Resource, id: string) => {
    const found = await store.find(resource.shape, id, scope);
    if (found === undefined) throw recordMissing(resource.shape, id);
    return resource === root ? id : found.account;
  };
  const read = async (unique_identifier: string, account: string): Promise<LocationSettings> => {
    const set = setFor(await book.of([unique_identifier, account]));
    return effectiveSettings({ unique_identifier, account }, set);
  };

  return {
    /** Throws `resource_missing` for a location or an account that is not there for the caller; so does `change`. */
    async find(principal: Principal, resource: Resource, id: string) {
      authorize(principal, resource.path, 'read');
      return read(id, await accountOf(principal, resource, id));
    },

    /**
     * Members that are left out stay; `null` removes one. `grants` is called before another region is set, which changes
     * what keys and people see: if it rejects, nothing is changed.
     */
    async change(
      principal: Principal,
      resource: Resource,
      id: string,
      patch: Partial<SetMembers>,
      grants: (account: string) => Promise<void>,
    ) {
      authorize(principal, resource.path, 'write');
      if (resource === root)
        authorizeWhole(principal, 'the settings of an account are those of all its locations');
      else if (patch.region !== undefined)
        authorizeWhole(principal, 'the region of a location decides which keys and people see it');
      const account = await accountOf(principal, resource, id);
      const set = asStored(patch);
      const [before] = set.region === undefined ? [] : await book.of([id]);
      if ((set.region ?? '') !== (before?.region ?? '')) await grants(account);
      await book.change([{ unique_identifier: id, account, ...set }]);
      return read(id, account);
    },

    /** Lists settings of locations for which something is set, by unique identifier; before the first, of the accounts. */
    async list(principal: Principal, { account, starting_after, limit }: SettingsQuery) {
      authorize(principal, anchor.path, 'read');
      const { scope } = principal;
      const accounts = accountsFor(scope, root.shape, account);
      const { rows, more } = await pageOf(accounts, scope.anchors, { starting_after, limit });
      const ids = rows.map(({ unique_identifier }) => unique_identifier);
      const there = await store.findAll(anchor.shape, ids, scope);
      // A page of very many accounts ends among them.
      const first = accounts.filter((one) => one > (starting_after ?? '')).toSorted();
      const set = setFor([...rows, ...(await book.of(accounts))]);
      const named = [
        ...first.map((one) => ({ unique_identifier: one, account: one })),
        ...there.toSorted((one, other) =>
          one.unique_identifier < other.unique_identifier ? -1 : 1,
        ),
      ];
      return { settings: named.map((one) => effectiveSettings(one, set)), more };
    },
  };

  async function pageOf(
    accounts: readonly string[],
    anchors: ReadonlySet<string> | undefined,
    { starting_after = '', limit }: Pick<SettingsQuery, 'starting_after' | 'limit'>,
  ) {
    // A key for some locations has few of them.
    const all =
      anchors === undefined
        ? await book.list(accounts, starting_after, limit + 1)
        : await book.of(
            [...anchors]
              .filter((one) => one > starting_after)
              .sort()
              .slice(0, limit + 1),
          );
    return { rows: all.slice(0, limit), more: all.length > limit };
  }
}

/** A removed member is stored as an empty text. */
export function asStored(patch: Partial<SetMembers>): Partial<SetMembers> {
  const sent = Object.entries(patch).map(([name, value]) => [name, (value ?? '').trim()]);
  return Object.fromEntries(sent);
}

/** Throws `permission_denied` unless the caller decides for whole accounts; `since` says why that is needed. */
function authorizeWhole({ scope, person }: Principal, since: string): void {
  const isAdministrator = person === undefined || person.member.role === 'administrator';
  if (scope.anchors === undefined && isAdministrator) return;
  throw new ApiError('permission_denied', {
    message:
      person === undefined
        ? `This API key is limited to certain locations, and ${since}: use a key of the whole account.`
        : `Only administrators of the whole account change this: ${since}.`,
  });
}

function setFor(rows: readonly StoredSettings[]) {
  const byIdentifier = new Map(rows.map((row) => [row.unique_identifier, row]));
  return (id: string): StoredSettings | undefined => byIdentifier.get(id);
}
