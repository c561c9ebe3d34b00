/** Follow-ups: what somebody of a home means to do about records; opened by what arrives, claimed, tried and closed by people and programs. */
import { eachUnwatched } from '../../core/each-account.ts';
import { ApiError, type ErrorCode } from '../../core/errors.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { Principal } from '../../records/auth/principal.ts';
import type { WriteConditions } from '../../records/ingest/idempotency.ts';
import { zonesOver } from '../../records/query/zones.ts';
import type { Served, ServeParts } from '../../services/served.ts';
import { findActor } from '../../services/staff/actors.ts';
import { startUpkeep, type Upkeep, yielding } from '../../services/upkeep.ts';
import { accountsFor, cursorUnknown, foundIn } from '../../store/promises/refusals.ts';
import { wholeAccount } from '../../store/promises/store.ts';
import { announcerOf, registerOf } from '../store.ts';
import { type FollowUp, type FollowUpCount, notifications, placeNamed } from './declares.ts';
import { type Act, type ActParams, acted, CLAIM_MS, opened } from './serves/acts.ts';
import { createColleagues } from './serves/colleagues.ts';
import { dueAt } from './serves/due.ts';
import { createEarlier } from './serves/earlier.ts';
import { createFollower } from './serves/follow.ts';
import { createJudge } from './serves/judged.ts';
import { isRepeated, withRepeat } from './serves/repeats.ts';
import { createTicks } from './serves/said.ts';
import { SIGNALS } from './serves/signals.ts';
import type { FollowUpQuery } from './store.ts';

const LOOK_MS = 1_000;
/** How often it is looked whether all who have claimed something may go on with it. */
const FREED_MS = 2_000;
/** The pause between some claims and the next, while this thread has time. */
const PAUSE_MS = 20;
const FAILED = 'claims of follow-ups were not ended; it is tried again within a second';
const AT_ONCE = 100;

export const serve = (parts: ServeParts) => {
  const service = createFollowUps(parts);
  let ending: readonly Upkeep[] = [];
  return {
    service,
    follows: createFollower(parts),
    upkeep: [
      { piece: () => service.forget(), failure: 'old follow-ups were not removed' },
      {
        piece: createEarlier(parts),
        failure:
          'what a tick means was not done for earlier cards; it is tried again within seconds',
        times: { everyMs: FREED_MS, pauseMs: yielding(PAUSE_MS, LOOK_MS) },
      },
    ],
    start({ log, pace }) {
      const ends = (what: () => Promise<boolean>, everyMs: number) => {
        const end = async () => ((await parts.trustsClock?.()) ?? true) && (await what());
        const times = { everyMs, pauseMs: yielding(PAUSE_MS, LOOK_MS) };
        return startUpkeep(end, (error) => log.warned(FAILED, error), times, pace);
      };
      ending = [ends(service.lapse, LOOK_MS), ends(service.free, FREED_MS)];
    },
    async close() {
      for (const one of ending) await one.close();
    },
  } satisfies Served;
};

function createFollowUps(parts: ServeParts) {
  const { store, resources, now, each = eachUnwatched, knowsTime = () => true } = parts;
  const announced = announcerOf(store).bind(undefined, notifications);
  const { followUp: book } = store;
  const register = registerOf(store);
  const [root] = resources as readonly [Resource];
  const zones = zonesOver(store);
  /** Made for each act and each look: who may work where is as it is now, not as it was a moment ago. */
  const colleagues = () => createColleagues(parts);
  const { judged, list: listJudged, workable } = createJudge(parts);
  const forgetting = each('removed follow-ups');
  const lapsing = each('ended claims');
  const freeing = each('claims of those who may not go on');

  /** The resources that the caller may see follow-ups of; `undefined`: all. */
  const seenBy = ({ resources: paths }: Pick<Principal, 'resources'>) =>
    paths && resources.filter(({ path }) => paths.has(path)).map(({ name }) => name);

  /** One that the caller may see, as it is stored. */
  const stored = async (caller: Principal, id: string): Promise<FollowUp> => {
    const found = await book.find(id);
    const isSeen =
      found?.gone_at === null &&
      caller.scope.anchors?.has(found.location) !== false &&
      seenBy(caller)?.includes(found.resource) !== false;
    return foundIn(caller.scope, 'follow_up', isSeen ? found : undefined);
  };

  const recordOf = async (record: string, scope: Principal['scope']) => {
    const its = resources.find(({ prefix, name }) => SIGNALS[name] && record.startsWith(prefix));
    const found = its && (await store.find(its.shape, record, scope));
    return found && { found, its };
  };

  /** The place after which a list goes on: that of a cursor, or where one is now. */
  const placeAt = async (after: string, accounts: readonly string[]) => {
    const place = placeNamed(after);
    if (place !== undefined) return place;
    const found = await book.find(after);
    if (found !== undefined && accounts.includes(found.account)) return found;
    throw cursorUnknown('cursor or unique_identifier of a follow-up that you may see');
  };

  /** The record that one is to be begun of, with its location. Throws `resource_missing`. */
  const begunOf = async (caller: Principal, record: string) => {
    const of = await recordOf(record, caller.scope);
    const location = of?.found.anchor;
    if (of && location && seenBy(caller)?.includes(of.its.name) !== false)
      return { ...of, location };
    throw new ApiError('resource_missing', {
      param: 'record',
      message:
        'record is not the unique_identifier of a mail reply, a visitor, a next of kin or an arrangement that you may see.',
    });
  };

  const noContact = () => new ApiError('do_not_contact');

  const openOf = async (account: string, record: string) =>
    (await book.ofRecords(account, [record])).find(({ state }) => state !== 'closed');

  /** Throws where somebody else has it, or another one of its record is open, or nobody is to contact the person. */
  const check = async ({ key }: Principal, act: Act, one: FollowUp) => {
    const { account, owner, record, state } = one;
    if (act === 'reopen' && state === 'closed') {
      const there = await openOf(account, record);
      if (there) throw alreadyOpen(there);
    } else if (act !== 'release' && act !== 'hand_over' && owner !== null && owner !== key) {
      const isHeld = await colleagues().holder(owner);
      if (!(await isHeld(one))) return;
      const actor = await findActor(store, owner);
      const name = actor?.name ?? actor?.instead ?? owner;
      throw refusal('follow_up_claimed', `${name} has claimed this follow-up.`);
    }
  };

  const find = async (caller: Principal, id: string): Promise<FollowUp> => {
    const [found] = await judged([await stored(caller, id)]);
    return foundIn(caller.scope, 'follow_up', found);
  };

  const { begins, unclearIn, ...said } = createTicks(parts);

  return {
    find,
    ...said,
    async list(
      { scope, key, resources: paths }: Principal,
      query: Omit<FollowUpQuery, 'accounts' | 'after'> & {
        readonly account?: string | undefined;
        readonly after?: string | undefined;
      },
    ): Promise<readonly FollowUp[]> {
      const { account, after, owner, ...wanted } = query;
      const accounts = accountsFor(scope, root.shape, account);
      await begins(accounts);
      const cursor = after === undefined ? undefined : await placeAt(after, accounts);
      const seen = { accounts, resources: seenBy({ resources: paths }) };
      const asked = { ...wanted, ...seen, owner: owner === 'me' ? key : owner };
      return (await register.some(accounts))
        ? listJudged({ ...asked, after: cursor })
        : book.list({ ...asked, after: cursor });
    },

    /** How many are not closed, by location and reason, of those that the caller sees. */
    async counts(
      caller: Principal,
      {
        account,
        locations,
      }: Pick<FollowUpQuery, 'locations'> & { readonly account?: string | undefined },
    ) {
      const at = now();
      const counts = new Map<string, FollowUpCount>();
      const add = ({ location, reason, open, overdue }: FollowUpCount) => {
        const name = `${location} ${reason}`;
        const before = counts.get(name) ?? { location, reason, open: 0, overdue: 0 };
        counts.set(name, {
          ...before,
          open: before.open + open,
          overdue: before.overdue + overdue,
        });
      };
      const resources = seenBy(caller);
      for (const one of accountsFor(caller.scope, root.shape, account)) {
        if (await register.some([one])) {
          for await (const { location, reason, due_at } of workable(one, resources))
            if (locations?.includes(location) !== false)
              add({ location, reason, open: 1, overdue: due_at < at ? 1 : 0 });
        } else
          for (const found of await book.counts(one, at))
            if (
              locations?.includes(found.location) !== false &&
              resources?.includes(found.resource) !== false
            )
              add(found);
      }
      return { counts: [...counts.keys()].toSorted().flatMap((name) => counts.get(name) ?? []) };
    },

    /** How many records ask for something and opened nothing, by the reason: of all, so for those who see all. */
    async leftOut({ scope, resources: paths }: Principal) {
      const left_out: Record<string, number> = {};
      if (scope.anchors !== undefined || paths !== undefined) return { left_out };
      const accounts = [...scope.accounts];
      for (const one of [...(await book.leftOut(accounts)), await unclearIn(accounts)])
        for (const [why, count] of Object.entries(one))
          left_out[why] = (left_out[why] ?? 0) + count;
      return { left_out };
    },

    /** Whom those of a record can be handed over to. Throws `resource_missing`. */
    async colleagues(caller: Principal, record: string) {
      const { found, location } = await begunOf(caller, record);
      return colleagues().at({ account: found.account, location });
    },

    /** Opens one by hand. Throws `resource_missing`, `value_invalid`, `follow_up_open` and `do_not_contact`. */
    async create(
      caller: Principal,
      {
        record,
        owner,
        note,
        due_at,
      }: { record: string; due_at: number | null } & Record<'owner' | 'note', string | null>,
      { repeatable }: WriteConditions,
    ): Promise<FollowUp> {
      for (;;) {
        const { found, its, location } = await begunOf(caller, record);
        const { account } = found;
        const all = await book.ofRecords(account, [record]);
        const repeated = all.find((one) => isRepeated(one, repeatable));
        if (repeated !== undefined) return find(caller, repeated.unique_identifier);
        const signs = register.signsOf(its.shape, found);
        if ((await register.saying(account, signs)).length > 0) throw noContact();
        const there = all.find(({ state }) => state !== 'closed');
        if (there !== undefined) throw alreadyOpen(there);
        const [at, zone] = [now(), (await zones([found]))(found)];
        const open = opened(at, {
          ...{ unique_identifier: book.newIdentifier(), account, location, record, note },
          ...{ resource: its.name, reason: 'by_hand', repeats: withRepeat([], repeatable) },
          due_at: due_at ?? dueAt('by_hand', at, zone),
        });
        if (owner !== null) await colleagues().check(open, owner);
        const by = caller.key;
        const made =
          owner === null
            ? acted(open, 'claim', { by, at, said: {} })
            : acted(open, 'hand_over', { by, at, said: { owner } });
        await book.begin(account);
        // Else somebody began one meanwhile, or said no, or the record was erased.
        const guards = register.guarding(account, signs);
        if (await book.open(made, await announced(made, 'opened'), guards)) return made;
      }
    },

    /** Does something about one. Of two at the same time, the later starts from the result of the earlier. */
    async act(
      principal: Principal,
      id: string,
      act: Act,
      { said, versions, repeatable }: WriteConditions & { readonly said: ActParams },
    ): Promise<FollowUp> {
      for (;;) {
        const before = await stored(principal, id);
        if (isRepeated(before, repeatable)) return find(principal, id);
        if (versions?.includes(before.version) === false)
          throw refusal('record_changed', `The follow-up is at version ${before.version}.`);
        const { account, record } = before;
        const of = await recordOf(record, wholeAccount(account));
        // Its record is removed, and it is hidden soon.
        if (of === undefined) throw foundIn(principal.scope, 'follow_up', undefined);
        const signs = register.signsOf(of.its.shape, of.found);
        const saying = await register.saying(account, signs);
        // What this one says is lifted when it is reopened, unless something else says it, too.
        const lifts = act === 'reopen' && saying.length > 0 && saying.every((one) => one === id);
        if (saying.length > 0 && !lifts && (before.state !== 'closed' || act === 'reopen'))
          throw noContact();
        await check(principal, act, before);
        if (act === 'hand_over') await colleagues().check(before, said.owner ?? '');
        const [at, by] = [now(), principal.key];
        const done = acted(before, act, { by, at, said });
        const after = { ...done, repeats: withRepeat(before.repeats, repeatable) };
        const stops = after.outcome === 'do_not_contact';
        const notices = await announced(after, act === 'close' ? 'closed' : 'changed');
        const more = stops
          ? register.refusing(of.its.shape, of.found, { follow_up: id, by, at })
          : lifts
            ? register.lifting(account, id, { by, at, because: said.reason ?? null })
            : [];
        const guards = register.guarding(account, stops || lifts ? undefined : signs);
        if (!(await book.put(after, [...more, ...notices], guards))) continue;
        const made = { ...after, version: after.version + 1 };
        return (await judged([made]))[0] ?? made;
      }
    },

    /** Removes those of some records that can no longer be restored; returns whether there may be more. */
    async forget(): Promise<boolean> {
      // A hold keeps the log of its account for longer.
      const later = new Set(forgetting.resting);
      for (;;) {
        const gone = await book.gone(AT_ONCE, [...later]);
        const byAccount = Map.groupBy(gone, ([account]) => account);
        for (const account of byAccount.keys()) later.add(account);
        await forgetting.through(
          byAccount,
          ([account]) => account,
          async ([account, own]) => {
            for (const [, resource, record] of own) {
              if (await store.log.gone(resource, record, [account])) return;
              // It is there again, and its follow-ups soon.
              if (await recordOf(record, wholeAccount(account))) continue;
              await book.forget(account, record);
            }
            later.delete(account);
          },
        );
        if (gone.length < AT_ONCE) return false;
        if ([...byAccount.keys()].some((account) => !later.has(account))) return true;
      }
    },

    /** Ends claims in which nothing was done for a day, and those that a clock has made that was ahead; opens what was put off until now; returns whether there may be more. */
    async lapse(): Promise<boolean> {
      const at = now();
      const claimed = knowsTime() ? at + 2 * CLAIM_MS : Number.MAX_SAFE_INTEGER;
      const lapsed = await book.lapsed(at, claimed, AT_ONCE, lapsing.resting);
      const byAccount = Map.groupBy(lapsed, ({ account }) => account);
      await lapsing.through(
        byAccount,
        ([account]) => account,
        async ([, own]) => {
          for (const one of own) {
            const isPutOff = one.state === 'closed';
            const isTaken = isPutOff && (await openOf(one.account, one.record)) !== undefined;
            const doing = { by: '', at, said: { reason: one.note } };
            const after = isTaken
              ? { ...one, next_at: null }
              : acted(one, isPutOff ? 'reopen' : 'release', doing);
            await book.put(after, await announced(after, 'changed'));
          }
        },
      );
      return lapsed.length === AT_ONCE;
    },

    /** Leaves to others what is held for people and keys who may not go on with it; returns whether there may be more. */
    async free(): Promise<boolean> {
      let isMore = false;
      const owners = await book.owners();
      const { holder } = colleagues();
      await freeing.through(
        Map.groupBy(owners, ({ account }) => account),
        ([account]) => account,
        async ([account, own]) => {
          for (const { owner } of own) {
            const isHeld = await holder(owner);
            for (const place of await book.placesOf(account, owner)) {
              if (await isHeld({ account, ...place })) continue;
              const some = await book.heldAt(account, owner, place, AT_ONCE);
              isMore ||= some.length === AT_ONCE;
              for (const one of some) {
                const after = acted(one, 'release', { by: '', at: now(), said: {} });
                await book.put(after, await announced(after, 'changed'));
              }
            }
          }
        },
      );
      return isMore;
    },
  };
}

const refusal = (code: ErrorCode, message: string) => new ApiError(code, { message });
const alreadyOpen = (one: FollowUp | undefined) =>
  refusal('follow_up_open', `${one?.unique_identifier} of this record is open.`);
