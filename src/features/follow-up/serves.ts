/** Follow-ups: what somebody of a home means to do about records; opened by what arrives, claimed, tried and closed by people and programs. */
import { ApiError, type ErrorCode } from '../../core/errors.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { Principal } from '../../records/auth/principal.ts';
import type { WriteConditions } from '../../records/ingest/idempotency.ts';
import { zonesOver } from '../../records/query/zones.ts';
import type { Served, ServeParts } from '../../services/served.ts';
import { findActor } from '../../services/staff/actors.ts';
import { startUpkeep, type Upkeep } from '../../services/upkeep.ts';
import { accountsFor, cursorUnknown, foundIn } from '../../store/promises/refusals.ts';
import { wholeAccount } from '../../store/promises/store.ts';
import { parseDocument } from '../../store/records/records.ts';
import { announcerOf } from '../store.ts';
import { type FollowUp, notifications } from './declares.ts';
import { type Act, type ActParams, acted, closedWith, opened } from './serves/acts.ts';
import { dueAt } from './serves/due.ts';
import { createFollower } from './serves/follow.ts';
import { SIGNALS } from './serves/signals.ts';
import type { FollowUpQuery } from './store.ts';

const LOOK_MS = 1_000;
const FAILED = 'follow-ups were not opened; it is tried again within a second';
const AT_ONCE = 100;
/** Requests that a follow-up remembers, to do none of them twice. */
const MAX_REPEATS = 20;

export const serve = (parts: ServeParts) => {
  const service = createFollowUps(parts);
  const follow = createFollower(parts);
  let following: Upkeep | undefined;
  return {
    service,
    upkeep: [{ piece: () => service.forget(), failure: 'old follow-ups were not removed' }],
    start({ log, pace }) {
      const piece = async () => [await follow(), await service.lapse()].includes(true);
      const times = { everyMs: LOOK_MS, pauseMs: () => LOOK_MS };
      following = startUpkeep(piece, (error) => log.warned(FAILED, error), times, pace);
    },
    close: async () => following?.close(),
  } satisfies Served;
};

function createFollowUps({ store, resources, now }: ServeParts) {
  const announced = announcerOf(store).bind(undefined, notifications);
  const { followUp: book } = store;
  const { marksOf, stopped } = book;
  const [root] = resources as readonly [Resource];
  const zones = zonesOver(store);

  /** The resources that the caller may see follow-ups of; `undefined`: all. */
  const seenBy = ({ resources: paths }: Pick<Principal, 'resources'>) =>
    paths && resources.filter(({ path }) => paths.has(path)).map(({ name }) => name);

  const find = async (caller: Principal, id: string): Promise<FollowUp> => {
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

  const checkContact = async (of: Awaited<ReturnType<typeof recordOf>>) => {
    if (of && (await stopped(of.its.shape, [of.found])).size > 0)
      throw new ApiError('do_not_contact');
  };

  /** Closes all of people whom nobody is to contact since that one was closed so. */
  const stopOthers = async (one: FollowUp): Promise<void> => {
    const { account } = one;
    for (let after: FollowUp | undefined, isMore = true; isMore; ) {
      const query = { accounts: [account], state: 'unfinished', limit: AT_ONCE, after };
      const page = await book.list(query);
      for (const [name, some] of Map.groupBy(page, ({ resource }) => resource)) {
        const { shape } = resources.find((resource) => resource.name === name) as Resource;
        const ids = some.map(({ record }) => record);
        const records = await stopped(
          shape,
          await store.findAll(shape, ids, wholeAccount(account)),
        );
        for (const other of some.filter(({ record }) => records.has(record))) {
          const closed = closedWith(other, one);
          await book.put(closed, await announced(closed, 'closed'));
        }
      }
      after = page.at(-1);
      isMore = page.length === AT_ONCE;
    }
  };

  const openOf = async (account: string, record: string) =>
    (await book.ofRecords(account, [record])).find(({ state }) => state !== 'closed');

  /** Throws where somebody else has it, or another one of its record is open, or nobody is to contact the person. */
  const check = async ({ key }: Principal, act: Act, one: FollowUp, said: ActParams) => {
    const { account, owner, record, state } = one;
    if (act === 'reopen' && state === 'closed') {
      const there = await openOf(account, record);
      if (there) throw alreadyOpen(there);
    } else if (act !== 'release' && owner !== null && owner !== key) {
      const actor = await findActor(store, owner);
      const name = actor?.name ?? actor?.instead ?? owner;
      throw refusal('follow_up_claimed', `${name} has claimed this follow-up.`);
    }
    if (said.outcome === 'do_not_contact' && marksOf === undefined)
      throw new ApiError('do_not_contact_unavailable', { param: 'outcome' });
  };

  return {
    find,
    async list(
      { scope, key, resources: paths }: Principal,
      query: Omit<FollowUpQuery, 'accounts' | 'after'> & {
        readonly account?: string | undefined;
        readonly after?: string | undefined;
      },
    ): Promise<readonly FollowUp[]> {
      const { account, after, owner, ...wanted } = query;
      const accounts = accountsFor(scope, root.shape, account);
      const begun = await book.leftOut(accounts);
      if (begun.length < accounts.length) for (const one of accounts) await book.begin(one);
      const cursor = after === undefined ? undefined : await book.find(after);
      if (after !== undefined && (cursor === undefined || !accounts.includes(cursor.account)))
        throw cursorUnknown('unique_identifier of a follow-up that you may see');
      const seen = { accounts, resources: seenBy({ resources: paths }) };
      return book.list({ ...wanted, ...seen, after: cursor, owner: owner === 'me' ? key : owner });
    },

    /** How many records ask for something and opened nothing, by the reason. */
    async leftOut({ scope }: Principal) {
      const left_out: Record<string, number> = {};
      for (const one of await book.leftOut([...scope.accounts]))
        for (const [why, count] of Object.entries(one))
          left_out[why] = (left_out[why] ?? 0) + count;
      return { left_out };
    },

    /** Opens one by hand. Throws `resource_missing`, `follow_up_open` and `do_not_contact`. */
    async create(
      caller: Principal,
      { record, note, due_at }: { record: string; note: string | null; due_at: number | null },
      { repeatable }: WriteConditions,
    ): Promise<FollowUp> {
      const of = await recordOf(record, caller.scope);
      const location = of?.found.anchor;
      if (!of || !location || seenBy(caller)?.includes(of.its.name) === false)
        throw new ApiError('resource_missing', {
          param: 'record',
          message:
            'record is not the unique_identifier of a mail reply, a visitor, a next of kin or an arrangement that you may see.',
        });
      const { found, its } = of;
      const { account } = found;
      await checkContact(of);
      const [at, zone] = [now(), (await zones([found]))(found)];
      const open = opened(at, {
        ...{ unique_identifier: book.newIdentifier(), account, location, record, note },
        ...{ resource: its.name, reason: 'by_hand', repeats: withRepeat([], repeatable) },
        due_at: due_at ?? dueAt('by_hand', at, zone),
      });
      const made = acted(open, 'claim', { by: caller.key, at, said: {} });
      await book.begin(account);
      if (await book.open(made, await announced(made, 'opened'))) return made;
      const there = await openOf(account, record);
      if (there !== undefined && isRepeated(there, repeatable)) return there;
      throw alreadyOpen(there);
    },

    /** Does something about one. Of two at the same time, the later starts from the result of the earlier. */
    async act(
      principal: Principal,
      id: string,
      act: Act,
      { said, versions, repeatable }: WriteConditions & { readonly said: ActParams },
    ): Promise<FollowUp> {
      for (;;) {
        const before = await find(principal, id);
        if (isRepeated(before, repeatable)) return before;
        if (versions?.includes(before.version) === false)
          throw refusal('record_changed', `The follow-up is at version ${before.version}.`);
        await check(principal, act, before, said);
        const { account, outcome, record } = before;
        const of = await recordOf(record, wholeAccount(account));
        if (act === 'claim') await checkContact(of);
        const marks = of && marksOf ? marksOf(of.its.shape, parseDocument(of.found.document)) : [];
        const done = acted(before, act, { by: principal.key, at: now(), said });
        const after = { ...done, repeats: withRepeat(before.repeats, repeatable) };
        const [stops, lifts] = [after, before].map((one) => one.outcome === 'do_not_contact');
        const notices = await announced(after, act === 'close' ? 'closed' : 'changed');
        const more = stops ? book.marking(after, marks) : lifts ? [book.lifting(before)] : [];
        if (!(await book.put(after, [...more, ...notices]))) continue;
        if (stops && outcome === null) await stopOthers(after);
        return { ...after, version: after.version + 1 };
      }
    },

    /** Removes those of some records that can no longer be restored; returns whether there may be more. */
    async forget(): Promise<boolean> {
      const gone = await book.gone(AT_ONCE);
      for (const [account, resource, record] of gone) {
        if (await store.log.gone(resource, record, [account])) return false;
        // It is there again, and its follow-ups soon.
        if (await recordOf(record, wholeAccount(account))) continue;
        await book.forget(account, record);
      }
      return gone.length === AT_ONCE;
    },

    /** Ends claims in which nothing was done for a day, and opens what was put off until now; returns whether there may be more. */
    async lapse(): Promise<boolean> {
      const at = now();
      const lapsed = await book.lapsed(at, AT_ONCE);
      for (const one of lapsed) {
        const isPutOff = one.state === 'closed';
        const isTaken = isPutOff && (await openOf(one.account, one.record)) !== undefined;
        const doing = { by: '', at, said: { reason: one.note } };
        const after = isTaken
          ? { ...one, next_at: null }
          : acted(one, isPutOff ? 'reopen' : 'release', doing);
        await book.put(after, await announced(after, 'changed'));
      }
      return lapsed.length === AT_ONCE;
    },
  };
}

const refusal = (code: ErrorCode, message: string) => new ApiError(code, { message });
const alreadyOpen = (one: FollowUp | undefined) =>
  refusal('follow_up_open', `${one?.unique_identifier} of this record is open.`);

type Repeatable = WriteConditions['repeatable'];

const repeatOf = ({ idempotency_key, fingerprint }: NonNullable<Repeatable>) =>
  [idempotency_key, Buffer.from(fingerprint).toString('base64url')] as const;

/** Throws `idempotency_key_reused` where another request had the same key. */
function isRepeated({ repeats }: FollowUp, repeatable: Repeatable): boolean {
  const [key, fingerprint] = repeatable === undefined ? [] : repeatOf(repeatable);
  const found = repeats.find(([one]) => one === key);
  if (found === undefined || found[1] === fingerprint) return found !== undefined;
  throw new ApiError('idempotency_key_reused');
}

const withRepeat = (repeats: FollowUp['repeats'], repeatable: Repeatable) =>
  repeatable ? [...repeats, repeatOf(repeatable)].slice(-MAX_REPEATS) : repeats;
