/** Shows follow-ups as they are seen: one of a person whom nobody is to contact is closed, though nobody has closed it. */
import { setImmediate as giveWay } from 'node:timers/promises';
import type { Resource } from '../../../core/schema/define.ts';
import type { ServeParts } from '../../../services/served.ts';
import { registerOf } from '../../store.ts';
import { type FollowUp, seenStopped } from '../declares.ts';
import type { FollowUpQuery, GlancedFollowUp, OpenFollowUp } from '../store.ts';
import { SIGNALS } from './signals.ts';

const AT_ONCE = 100;
/** Follow-ups that are judged at once where many may be: of each no more is read than how its person is known. */
const MANY_AT_ONCE = 1_000;

export function createJudge({ store, resources }: Pick<ServeParts, 'store' | 'resources'>) {
  const { followUp: book } = store;
  const register = registerOf(store);

  /** Each as it is seen. Where anybody is in the register, those whose record is gone are left out. */
  async function judged<One extends GlancedFollowUp>(
    ones: readonly One[],
  ): Promise<readonly One[]> {
    const live = ones.filter(({ state }) => state !== 'closed');
    const accounts = [...new Set(live.map(({ account }) => account))];
    if (accounts.length === 0 || !(await register.some(accounts))) return ones;
    const there = new Set<string>();
    const isNo = new Set<string>();
    for (const [account, own] of Map.groupBy(live, ({ account }) => account)) {
      const known: Pick<OpenFollowUp, 'record' | 'contacts'>[] = [];
      for (const [name, some] of Map.groupBy(own, ({ resource }) => resource)) {
        const { shape } = resources.find((resource) => resource.name === name) as Resource;
        const records = some.map(({ record }) => record);
        known.push(...(await book.contacts(shape, account, records)));
      }
      for (const { record } of known) there.add(record);
      for (const record of await register.saidOf(account, known)) isNo.add(record);
    }
    return ones.flatMap((one) => {
      if (one.state === 'closed') return one;
      if (!there.has(one.record)) return [];
      return isNo.has(one.record) ? seenStopped(one) : one;
    });
  }

  /** The first that are wanted as they are seen, along those that are stored as the query says. */
  async function firstSeen(
    query: FollowUpQuery,
    isWanted: (one: GlancedFollowUp) => boolean,
  ): Promise<readonly GlancedFollowUp[]> {
    const found: GlancedFollowUp[] = [];
    let { after } = query;
    let limit = Math.max(query.limit, AT_ONCE);
    for (;;) {
      const some = await book.glances({ ...query, after, limit });
      found.push(...(await judged(some)).filter(isWanted));
      if (some.length < limit || found.length >= query.limit) return found.slice(0, query.limit);
      after = some.at(-1);
      limit = MANY_AT_ONCE;
      await giveWay();
    }
  }

  /** Reads follow-ups that are stored as closed, and up to the last of these those that are seen so. */
  async function firstClosed(query: FollowUpQuery): Promise<readonly GlancedFollowUp[]> {
    const { limit } = query;
    const stored = await book.glances(query);
    const upTo = stored.length < limit ? undefined : stored.at(-1);
    const live = { ...query, state: 'unfinished', upTo };
    const seen = await firstSeen(live, ({ state }) => state === 'closed');
    return [...stored, ...seen].sort(inOrder).slice(0, limit);
  }

  return {
    judged,

    /** A list of accounts in which somebody is in the register: what is stored with a state may be seen with another one. */
    async list(query: FollowUpQuery): Promise<readonly FollowUp[]> {
      const { state, owner } = query;
      const isIn = (one: GlancedFollowUp) =>
        state === 'unfinished' ? one.state !== 'closed' : one.state === state;
      const isAsked = (one: GlancedFollowUp) =>
        (owner === undefined || one.owner === owner) && (state === undefined || isIn(one));
      const found =
        state === 'closed' && owner === undefined
          ? await firstClosed(query)
          : await firstSeen(query, isAsked);
      const stopped = new Set(
        found.flatMap((one) => (one.state === 'closed' ? one.unique_identifier : [])),
      );
      const whole = await book.findAll(found.map((one) => one.unique_identifier));
      return whole.map((one) => (stopped.has(one.unique_identifier) ? seenStopped(one) : one));
    },

    /** Gives those of an account that are not closed, but for whom nobody is to contact. */
    async *workable(account: string, names: readonly string[] | undefined) {
      for (const { shape, name } of resources.filter(({ name }) => SIGNALS[name])) {
        if (names?.includes(name) === false) continue;
        for (let after = '', isMore = true; isMore; ) {
          const some = await book.openWith(shape, account, after, MANY_AT_ONCE);
          const isNo = await register.saidOf(account, some);
          yield* some.filter(({ record }) => !isNo.has(record));
          after = some.at(-1)?.record ?? '';
          isMore = some.length === MANY_AT_ONCE;
          await giveWay();
        }
      }
    },
  };
}

const inOrder = (one: GlancedFollowUp, other: GlancedFollowUp): number =>
  one.due_at - other.due_at || (one.unique_identifier < other.unique_identifier ? -1 : 1);
