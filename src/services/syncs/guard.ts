/** Weighs what finishing a sync would remove: of the whole, and at each location. */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../core/errors.ts';
import { ancestorsOf, type Resource } from '../../core/schema/define.ts';
import { inThousands } from '../../core/schema/present/words.ts';
import type { Ahead, PlaceAhead } from './ahead.ts';
import { countBelow, PAUSE_MS, scopeOf, type Walking } from './walk.ts';

/** Records, and records that belong to them, that may be removed however small the share, unless they are all. */
const LEAST = { records: 10, below: 1_000 };
/** A place that had as many, and would keep none, is asked about. */
const FEW = 3;
/** The most records of a resource that are counted to weigh what goes against. */
const MOST_THERE = 1_000_000;
/** Records that are looked at before others get to write. */
const PACED = 16;
/** Places that a refusal names. */
const MOST_PLACES = 20;

/**
 * Gives how many of `had` records may be removed with a limit of `share` percent. `least` of them may be removed under any
 * limit but 0, unless those are all there are.
 */
function allowed(had: number, isAll: boolean, share: number, least: number): number {
  const most = Math.floor((had * share) / 100);
  return isAll || share === 0 ? most : Math.max(least, most);
}

interface Weighed extends PlaceAhead {
  readonly id: string;
}

/** Why not so much may go, as `sync_removes_too_much`; `undefined`: it may. */
export async function guard(
  walking: Walking,
  ahead: Ahead,
  share: number,
): Promise<ApiError | undefined> {
  const { going, first } = ahead;
  if (share >= 100 || going === 0) return undefined;
  const { anchor } = walking.resource;
  let below = 0;
  const places = new Map(ahead.places);
  for (const [at, { record }] of first.entries()) {
    if (at % PACED === 0) await pause(PAUSE_MS);
    const counts = Object.values(await countBelow(walking, walking.resource, record));
    const own = counts.reduce((sum, count) => sum + count, 0);
    below += own;
    // A location goes with all that is at it.
    if (anchor) places.set(record, { had: 1 + own, going: 1 + own });
  }
  const tooMuch = [...places].flatMap(([id, place]): readonly Weighed[] => {
    const isAll = place.going === place.had;
    const isTooMuch = isAll
      ? place.had >= FEW
      : place.going > allowed(place.had, false, share, LEAST.records);
    return place.going > 0 && isTooMuch ? [{ id, ...place }] : [];
  });
  const weighed = await weigh(walking, ahead, share, below);
  if (weighed.isGood && tooMuch.length === 0) return undefined;
  const least = Math.max(weighed.least, ...tooMuch.map((one) => one.going / one.had));
  const enough = Math.min(100, Math.ceil(least * 100));
  const message = [
    `The sync would remove ${weighed.says}. Nothing was removed.`,
    ...(await said(walking, tooMuch)),
    `If that is right, finish it again with a larger at_most, such as ${enough}%.`,
  ].join(' ');
  return new ApiError('sync_removes_too_much', { param: 'at_most', message });
}

/** Weighs the whole. */
async function weigh(walking: Walking, { had, going, first }: Ahead, share: number, below: number) {
  const isAll = going === had && had >= FEW;
  const isMany = share === 0 ? below > 0 : below > LEAST.below || walking.resource.anchor;
  const there = isMany
    ? await countThere(walking, share === 0 ? MOST_THERE : (below / share) * 100)
    : below;
  const counted = `${going > first.length ? 'at least ' : ''}${inThousands(below)}`;
  const withThem = `, and with them ${counted}${isMany ? ` of the ${inThousands(there)}` : ''} records that belong to such`;
  const taken = `${inThousands(going)} of the ${inThousands(had)} records of the source there${below === 0 ? '' : withThem}`;
  if (walking.resource.anchor) {
    // What is at a location counts like the location.
    const most = allowed(had + there, isAll, share, LEAST.records);
    const least = (going + below) / Math.max(1, had + there);
    const sum = below === 0 ? '' : `: ${inThousands(going + below)} of ${inThousands(had + there)}`;
    const says = `${taken}${sum}, and at_most allows for ${inThousands(most)}`;
    return { isGood: going + below <= most, least, says };
  }
  const most = allowed(had, isAll, share, LEAST.records);
  const mostBelow = allowed(there, false, share, LEAST.below);
  const least = Math.max(going / had, isMany ? below / there : 0);
  const says = `${taken}, and at_most allows for ${inThousands(most)}${isMany ? ` with ${inThousands(mostBelow)} that belong to them` : ''}`;
  return { isGood: going <= most && below <= mostBelow, least, says };
}

/** Names the places, those that lose most first, by their callers' own identifiers. */
async function said({ store, resources, sync }: Walking, some: readonly Weighed[]) {
  const anchor = resources.find((resource) => resource.anchor);
  if (some.length === 0 || anchor === undefined) return [];
  const first = some.toSorted((one, other) => other.going - one.going).slice(0, MOST_PLACES);
  const scope = { accounts: new Set([sync.account]), anchors: undefined };
  const ids = first.map(({ id }) => id);
  const found = await store.findAll(anchor.shape, ids, scope);
  const names = new Map(found.map((one) => [one.unique_identifier, one.external_identifier]));
  const named = first.map(({ id, had, going }) => {
    const name = names.get(id);
    const what =
      going === had ? `all ${inThousands(had)}` : `${inThousands(going)} of ${inThousands(had)}`;
    return `${name ? `${name} (${id})` : id} would lose ${what}`;
  });
  const more = some.length - first.length;
  return [`${named.join('; ')}${more > 0 ? `; and ${inThousands(more)} more locations` : ''}.`];
}

/** How many records are there of the resources below that of the sync: at least as many as wanted, or all. */
async function countThere({ store, resources, resource, sync }: Walking, wanted: number) {
  const limit = Math.max(1, Math.min(Math.ceil(wanted), MOST_THERE));
  const below = resources.filter((one: Resource) => ancestorsOf(one).includes(resource));
  let there = 0;
  for (const { shape } of below) {
    there += await store.count({
      shape,
      scope: scopeOf(sync),
      where: [],
      limit,
      giveWay: () => pause(PAUSE_MS),
    });
  }
  return there;
}
