/** Expectations: what is to come from sources at locations, learned or set by people, and watched. */
import { ApiError } from '../../core/errors.ts';
import type { Resource } from '../../core/schema/define.ts';
import { hoursText, readClosedDays, readHours } from '../../core/schema/present/expected-hours.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { Principal } from '../../records/auth/principal.ts';
import type { Served, ServeParts } from '../../services/served.ts';
import { accountsFor, foundIn, missingAt } from '../../store/promises/refusals.ts';
import { EXPECTATION_STATES, type Expectation, expectation } from './declares.ts';
import { SILENT_AFTER } from './serves/learning.ts';
import { createWatch } from './serves/watch.ts';
import type { ExpectationQuery } from './store.ts';

/** A person's changes; members that are left out stay, and `null` removes closed days. */
type Wanted = Pick<Expectation, 'source' | 'location'> & {
  readonly [N in 'hours' | 'every' | 'silent_after' | 'closed_days' | 'status']?:
    | Expectation[N]
    | null
    | undefined;
};

export const serve = (parts: ServeParts) => {
  const { store, now, each } = parts;
  const { shape: anchor } = parts.resources.find((one) => one.anchor) as Resource;
  parts.figure?.(
    {
      name: 'ledgerstone_expectations',
      help: 'Sources at locations from which something is expected, by state; all processes over one database show the same.',
      label: 'state',
    },
    async () => {
      const counts = new Map(EXPECTATION_STATES.map((state) => [String(state), 0]));
      for (const [, state, count] of await store.expectations.states())
        counts.set(state, (counts.get(state) ?? 0) + count);
      return counts;
    },
  );
  const watch = createWatch({ store, anchor, now, ...(each && { each }) });
  return {
    service: createExpectations(parts, anchor),
    upkeep: [
      {
        piece: async () => void (await watch()),
        failure: 'it was not looked whether sources are silent; it is tried again within a minute',
        times: { afterMs: 3_000 },
      },
    ],
  } satisfies Served;
};

function createExpectations({ store, resources, now }: ServeParts, anchor: RecordShape) {
  const { expectations: book, sources } = store;
  const [root] = resources as readonly [Resource];

  const placeOf = async ({ scope }: Principal, { source, location }: Wanted) => {
    const found = await store.find(anchor, location, scope);
    if (found === undefined) throw missingAt('location', anchor, location);
    const { account } = found;
    const all = await sources.list([account]);
    const isThere = all.some((one) => one.unique_identifier === source && one.merged_into === null);
    if (isThere) return { account, source, location };
    const message = 'The account of this location has no source with this unique_identifier.';
    throw new ApiError('resource_missing', { param: 'source', message });
  };

  const foundAt = async ({ account, source, location }: Awaited<ReturnType<typeof placeOf>>) => {
    const of = { accounts: [account], source, locations: [location] };
    return (await book.list({ ...of, limit: 1 }))[0];
  };

  return {
    list(
      { scope }: Principal,
      {
        account,
        ...query
      }: Omit<ExpectationQuery, 'accounts'> & { readonly account?: string | undefined },
    ) {
      return book.list({ ...query, accounts: accountsFor(scope, root.shape, account) });
    },
    /** Throws `resource_missing` for a source or a location that is not there for the caller. */
    async set(principal: Principal, wanted: Wanted): Promise<Expectation> {
      const place = await placeOf(principal, wanted);
      const before = await foundAt(place);
      const { closed_days = before?.closed_days } = wanted;
      const hours = wanted.hours ?? before?.hours;
      const status = wanted.status ?? 'confirmed';
      if (hours === undefined && status !== 'off') {
        const message =
          'hours is missing: nothing was learned of this source at this location yet, so say when something comes, such as mon-fri 8-18.';
        throw new ApiError('parameter_missing', { param: 'hours', message });
      }
      const every = wanted.every ?? before?.every ?? 'day';
      const silentAfter = every === before?.every ? before.silent_after : undefined;
      const isLearned = before !== undefined && before.hours === hours && before.every === every;
      const at = now();
      await book.put({
        ...expectation.nulls,
        ...place,
        every,
        status,
        inserted_at: at,
        updated_at: at,
        hours: hours === undefined ? '' : hoursText(readHours(hours) ?? []),
        silent_after: wanted.silent_after ?? silentAfter ?? SILENT_AFTER[every],
        closed_days: (readClosedDays(closed_days ?? '') ?? []).join(', '),
        learned_days: isLearned ? before.learned_days : null,
        kept_days: isLearned ? before.kept_days : null,
        state: 'new',
        since: at,
      });
      return (await foundAt(place)) as Expectation;
    },
    /** Removes what was set: it is learned again, if there is something to learn. Throws `resource_missing`. */
    async remove({ scope }: Principal, unique_identifier: string) {
      const removed = foundIn(scope, 'expectation', await book.find(unique_identifier));
      await book.remove(unique_identifier);
      return removed;
    },
  };
}
