/** Holds: a person keeps records from being forgotten, until the hold is released or its time has passed. */
import { ApiError } from '../../core/errors.ts';
import type { Resource } from '../../core/schema/define.ts';
import { createIdentifiers, LAST_IDENTIFIER } from '../../core/schema/id.ts';
import type { Principal } from '../../records/auth/principal.ts';
import { pathTo } from '../../records/query/path.ts';
import type { Served, ServeParts } from '../../services/served.ts';
import { foundIn, missingAt } from '../../store/promises/refusals.ts';
import type { Scope } from '../../store/promises/store.ts';
import { hold, type StoredHold } from './declares.ts';

/** Unreleased holds of an account: whatever removes or erases reads all of them. */
const MAX_HOLDS = 1_000;

interface PlacedHold extends Pick<StoredHold, 'account' | 'matter' | 'reason' | 'until'> {
  /** Left out: the account itself. */
  readonly record: string | undefined;
}

export const serve = (parts: ServeParts) => {
  const service = createHoldService(parts);
  const help = 'Holds that last, in all accounts; all processes over one database show the same.';
  parts.figure?.({ name: 'ledgerstone_holds', help }, () => parts.store.holds.count());
  return {
    service,
    upkeep: [
      { piece: () => service.lapse(), failure: 'holds whose time has passed were not ended' },
    ],
  } satisfies Served;
};

function createHoldService({ store, resources, now }: ServeParts) {
  const { holds } = store;
  const identify = createIdentifiers(now);

  /** Throws `resource_missing`, `value_invalid` and `holds_too_many`. */
  async function place({ key: placed_by, scope }: Principal, placed: PlacedHold) {
    const { account, record = account, until } = placed;
    const inserted_at = now();
    const [{ shape }] = resources as readonly [Resource];
    if (!scope.accounts.has(account)) throw missingAt('account', shape, account);
    if (until !== null && until <= inserted_at)
      throw new ApiError('value_invalid', {
        param: 'until',
        message: 'until has passed: send a time in the future, or leave it out.',
      });
    const path = await pathTo(store, resources, account, record);
    const [at] = path;
    if (at === undefined) throw missingRecord(record);
    if ((await holds.active(account)).length >= MAX_HOLDS) throw new ApiError('holds_too_many');
    const made: StoredHold = {
      ...hold.nulls,
      ...placed,
      record,
      unique_identifier: identify('hld_'),
      resource: at.resource,
      placed_by,
      inserted_at,
    };
    const above = path.slice(1).map((step) => step.record);
    if (!(await holds.place(made, above))) throw missingAt('account', shape, account);
    return made;
  }

  /** Throws `resource_missing`. */
  async function find({ scope }: Principal, id: string): Promise<StoredHold> {
    return foundIn(scope, 'hold', await holds.find(id));
  }

  /** Lists holds: those on a record or on what it belongs to, where one is named. */
  async function list(
    { scope }: Principal,
    query: { record?: string | undefined; before?: string | undefined; limit: number },
  ): Promise<readonly StoredHold[]> {
    const { record, before = LAST_IDENTIFIER, limit } = query;
    if (record === undefined) return holds.list([...scope.accounts], before, limit);
    const account = await accountOf(scope, record);
    if (account === undefined) throw missingRecord(record);
    const path = await pathTo(store, resources, account, record);
    return (await holds.active(account))
      .filter(({ unique_identifier: id }) => id < before)
      .filter((one) => path.some((step) => step.record === one.record))
      .reverse()
      .slice(0, limit);
  }

  async function release(caller: Principal, id: string, because: string): Promise<StoredHold> {
    await find(caller, id);
    await holds.release(id, { at: now(), by: caller.key, because });
    return find(caller, id);
  }

  /** Ends those whose time has passed, and removes some that ended long ago; returns whether there may be more. */
  async function lapse(): Promise<boolean> {
    const at = now();
    await holds.lapse(at);
    return holds.purge(at);
  }

  /** Finds the account of a record, existing or removed, or of an account. */
  async function accountOf(scope: Scope, record: string): Promise<string | undefined> {
    if (scope.accounts.has(record)) return record;
    const one = resources.find(({ prefix, parent }) => parent && record.startsWith(prefix));
    if (one === undefined) return undefined;
    const found =
      (await store.find(one.shape, record, scope)) ??
      (await store.log.gone(one.shape.resource, record, [...scope.accounts]));
    return found?.account;
  }

  function missingRecord(record: string): ApiError {
    const its = resources.find(({ prefix }) => record.startsWith(prefix)) ?? resources.at(-1);
    return missingAt('record', (its as Resource).shape, record);
  }

  return { place, find, list, release, lapse };
}
