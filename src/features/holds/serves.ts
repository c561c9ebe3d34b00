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

export interface PlacedHold {
  readonly account: string;
  /** Left out: the account itself. */
  readonly record: string | undefined;
  readonly matter: string;
  readonly reason: string | null;
  readonly until: number | null;
}

export const serve = (parts: ServeParts) => {
  const service = new HoldService(parts);
  const help = 'Holds that last, in all accounts; all processes over one database show the same.';
  parts.figure?.({ name: 'ledgerstone_holds', help }, () => parts.store.holds.count());
  return {
    service,
    upkeep: [
      { piece: () => service.lapse(), failure: 'holds whose time has passed were not ended' },
    ],
  } satisfies Served;
};

class HoldService {
  readonly #parts: ServeParts;
  readonly #identify: (prefix: string) => string;

  constructor(parts: ServeParts) {
    this.#parts = parts;
    this.#identify = createIdentifiers(parts.now);
  }

  /** Throws `resource_missing`, `value_invalid` and `holds_too_many`. */
  async place({ key: placed_by, scope }: Principal, placed: PlacedHold): Promise<StoredHold> {
    const { account, record = account, matter, reason, until } = placed;
    const now = this.#parts.now();
    const [{ shape }] = this.#parts.resources as readonly [Resource];
    if (!scope.accounts.has(account)) throw missingAt('account', shape, account);
    if (until !== null && until <= now)
      throw new ApiError('value_invalid', {
        param: 'until',
        message: 'until has passed: send a time in the future, or leave it out.',
      });
    const path = await pathTo(this.#parts.store, this.#parts.resources, account, record);
    const [at] = path;
    if (at === undefined) throw this.#missing(record);
    if ((await this.#parts.store.holds.active(account)).length >= MAX_HOLDS)
      throw new ApiError('holds_too_many');
    const made: StoredHold = {
      ...hold.nulls,
      unique_identifier: this.#identify('hld_'),
      account,
      resource: at.resource,
      record,
      matter,
      reason,
      until,
      placed_by,
      inserted_at: now,
    };
    const above = path.slice(1).map((step) => step.record);
    if (!(await this.#parts.store.holds.place(made, above))) {
      throw missingAt('account', shape, account);
    }
    return made;
  }

  /** Throws `resource_missing`. */
  async find({ scope }: Principal, id: string): Promise<StoredHold> {
    return foundIn(scope, 'hold', await this.#parts.store.holds.find(id));
  }

  /** Lists holds: those on a record or on what it belongs to, where one is named. */
  async list(
    { scope }: Principal,
    query: { record?: string | undefined; before?: string | undefined; limit: number },
  ): Promise<readonly StoredHold[]> {
    const { record, before = LAST_IDENTIFIER, limit } = query;
    if (record === undefined)
      return this.#parts.store.holds.list([...scope.accounts], before, limit);
    const account = await this.#accountOf(scope, record);
    if (account !== undefined) {
      const path = await pathTo(this.#parts.store, this.#parts.resources, account, record);
      const all = await this.#parts.store.holds.active(account);
      return all
        .filter(({ unique_identifier: id }) => id < before)
        .filter((one) => path.some((step) => step.record === one.record))
        .reverse()
        .slice(0, limit);
    }
    throw this.#missing(record);
  }

  async release(caller: Principal, id: string, because: string): Promise<StoredHold> {
    await this.find(caller, id);
    await this.#parts.store.holds.release(id, { at: this.#parts.now(), by: caller.key, because });
    return this.find(caller, id);
  }

  /** Ends those whose time has passed, and removes some that ended long ago; returns whether there may be more. */
  async lapse(): Promise<boolean> {
    const now = this.#parts.now();
    await this.#parts.store.holds.lapse(now);
    return this.#parts.store.holds.purge(now);
  }

  /** Finds the account of a record, existing or removed, or of an account. */
  async #accountOf(scope: Scope, record: string): Promise<string | undefined> {
    if (scope.accounts.has(record)) return record;
    const one = this.#parts.resources.find(
      ({ prefix, parent }) => parent && record.startsWith(prefix),
    );
    if (one === undefined) return undefined;
    const found =
      (await this.#parts.store.find(one.shape, record, scope)) ??
      (await this.#parts.store.log.gone(one.shape.resource, record, [...scope.accounts]));
    return found?.account;
  }

  #missing(record: string): ApiError {
    const { shape } =
      this.#parts.resources.find(({ prefix }) => record.startsWith(prefix)) ??
      (this.#parts.resources.at(-1) as Resource);
    return missingAt('record', shape, record);
  }
}
