/** What is there before the load comes: an account, a key, parents, ten thousand known records and any number of others. */

import { shapes } from '../src/core/registry.ts';
import type { RecordShape } from '../src/core/schema/shape.ts';
import type { JsonObject } from '../src/core/schema/values.ts';
import { issueKey } from '../src/records/auth/issue-key.ts';
import { openStore } from '../src/store/open.ts';
import type { Draft, Outcome, Store } from '../src/store/promises/store.ts';
import { sayFilled } from './progress.ts';

export interface World {
  readonly account: string;
  readonly authorization: string;
  /** The secret of another key of the same account, which may have webhooks and erase. */
  readonly other: string;
  readonly location: string;
  readonly event: string;
}

export const KNOWN = 10_000;
const PER_COMMIT = 500;

/** Makes the world in an empty store, with `records` check-ins in all. */
export async function makeWorld(
  url: string,
  records: number,
  onProgress: (done: number) => void,
): Promise<World> {
  const store = await openStore({ url, shapes, create: true, serve: true });
  try {
    return await makeAccount(store, KNOWN, records, onProgress);
  } finally {
    await store.close();
  }
}

/** Makes so many of them in an empty store, each with `known` records and no others. */
export async function makeWorlds(
  url: string,
  count: number,
  known: number,
  distribution?: 'citus',
): Promise<World[]> {
  const store = await openStore({ url, distribution, shapes, create: true, serve: true });
  const worlds: World[] = [];
  try {
    while (worlds.length < count) {
      worlds.push(await makeAccount(store, known, known, () => {}));
      sayFilled(worlds.length * known, count * known);
    }
    return worlds;
  } finally {
    await store.close();
  }
}

async function makeAccount(
  store: Store,
  known: number,
  records: number,
  onProgress: (done: number) => void,
): Promise<World> {
  const account = (await store.accounts.create({ name: 'Bench', livemode: true }))
    .unique_identifier;
  const [{ secret }, { secret: other }] = [
    await issueKey(store.keys, true, {
      name: 'bench',
      accounts: [account],
      allow: ['requests', 'webhooks'],
    }),
    await issueKey(store.keys, true, {
      name: 'beside',
      accounts: [account],
      allow: ['webhooks', 'erase'],
    }),
  ];
  const draft = (
    resource: string,
    parent: string,
    anchor: string | undefined,
    name: string,
    patch: JsonObject,
  ): Draft => ({
    shape: shapeOf(resource),
    account,
    anchor,
    parent,
    external_identifier: name,
    patch,
  });
  const one = async (made: Draft): Promise<string> => identifierOf((await store.commit([made]))[0]);
  const location = await one(
    draft('location', account, undefined, 'chapel', { location_name: 'Chapel', public_data: {} }),
  );
  const eventPatch = {
    event_name: 'Service',
    event_datetime: '2026-11-20T14:30:00Z',
    public_data: {},
  };
  const event = await one(draft('event', location, location, 'service', eventPatch));

  const checkIn = (name: string): Draft =>
    draft('event_check_in_record', event, location, name, {
      visitor_full_name: `A visitor, ${name}`,
      visitor_phone_number: '+14155550123',
      public_data: {
        visitor_relationship_to_deceased: 'friend of the family',
        visitor_interested_in_pre_planning: true,
      },
    });
  await fill(
    store,
    known,
    (index) => draft('event', location, location, `known-${index}`, eventPatch),
    () => {},
  );
  await fill(
    store,
    Math.max(records, known),
    (index) => checkIn(index < known ? `known-${index}` : `earlier-${index}`),
    onProgress,
  );
  return { account, authorization: `Bearer ${secret}`, other: `Bearer ${other}`, location, event };
}

async function fill(
  store: Store,
  count: number,
  draft: (index: number) => Draft,
  onProgress: (done: number) => void,
): Promise<void> {
  for (let from = 0; from < count; from += PER_COMMIT) {
    const size = Math.min(PER_COMMIT, count - from);
    await store.commit(Array.from({ length: size }, (_, index) => draft(from + index)));
    onProgress(from + size);
  }
}

/** Finds the shape of the resource of that name. */
export function shapeOf(resource: string): RecordShape {
  const shape = shapes.find((one) => one.resource === resource);
  if (shape === undefined) throw new Error(`There is no resource ${resource}.`);
  return shape;
}

function identifierOf(outcome: Outcome | undefined): string {
  if (outcome === undefined || !('record' in outcome))
    throw new Error('The world could not be made.');
  return outcome.record.unique_identifier;
}
