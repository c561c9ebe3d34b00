/** The services that commands take, out of one bag: each is loaded and made when it is first taken. */
import about from '../../package.json' with { type: 'json' };
import { createPageReads } from '../core/fair/page-reads.ts';
import type { Outbound } from '../core/outbound/outbound.ts';
import { resources } from '../core/resources/index.ts';
import type { Sealer } from '../core/sealing/sealer.ts';
import type { Administration } from '../edge/console/session/administrator.ts';
import type { Services } from '../edge/operations/operation.ts';
import { featureServes, serveFeatures } from '../features/serves.ts';
import type { Query } from '../records/query/query.ts';
import type { ErasureJournal } from '../services/erasures/journal.ts';
import type { Served, ServeParts } from '../services/served.ts';
import type { Store } from '../store/promises/store.ts';

/** The settings of a command, each read when a service needs it. */
export interface BagParts {
  readonly store: Store;
  /** The key of secrets and of erased records. */
  readonly sealer: () => Sealer | undefined;
  /** Whether there is such a key that can be read. */
  readonly isKeyed: () => boolean;
  /** Private networks that webhooks may reach. */
  readonly allowed: () => readonly string[];
  readonly journal: () => Promise<ErasureJournal>;
  /** How long the service keeps its continuous backup, if it has one. */
  readonly backupKeepMs: () => number | undefined;
  /** The address of the service, for links. */
  readonly origin: () => string;
}

/** Services that were taken. */
export type Taken = Partial<Services & Administration>;

interface Making extends BagParts {
  readonly now: () => number;
  readonly query: () => Promise<Query>;
  /** For what features send, where `outbound` was taken. */
  outbound: Outbound | undefined;
}

const ROOMS = {
  store: async ({ store }: Making) => ({ store, requests: store.requests }),
  reads: async () => ({ reads: createPageReads() }),
  query: ({ query }: Making) => query(),
  async ingest({ store, now }: Making) {
    const { createIngest } = await import('../records/ingest/ingest.ts');
    const { decide, restoreRemoval } = createIngest(store, { resources, now });
    return { decide, restoreRemoval };
  },
  async proposals({ store, query }: Making) {
    const { createProposals } = await import('../records/corrections/proposals.ts');
    const { reads } = await query();
    return { reads, proposals: createProposals(store, resources, reads) };
  },
  async sources({ store }: Making) {
    const { createSources } = await import('../services/sources/sources.ts');
    return { sources: createSources(store) };
  },
  async locationSettings({ store }: Making) {
    const { createLocationSettings } = await import('../services/locations/settings.ts');
    return { locationSettings: createLocationSettings(store, resources) };
  },
  async syncs({ store, now }: Making) {
    const [{ createSyncs }, { createMayRemove, createRemoving }, { createRestoreRemoval }] =
      await Promise.all([
        import('../services/syncs/syncs.ts'),
        import('../services/syncs/removing.ts'),
        import('../records/ingest/one/restore-removal.ts'),
      ]);
    const mayRemove = createMayRemove(store, await regionsOf(store, now));
    const restoreRemoval = createRestoreRemoval(store, resources);
    const parts = { store, resources, restoreRemoval, mayRemove, now };
    return {
      syncs: createSyncs({ ...parts, removing: createRemoving(parts), by: 'operator' }),
    };
  },
  async fingerprints({ sealer }: Making) {
    const { createFingerprints, IDENTIFIERS } = await import(
      '../services/requests/fingerprints.ts'
    );
    const key = sealer();
    return { fingerprints: key && createFingerprints(key.derived(IDENTIFIERS)) };
  },
  async erasures({ store, now, sealer, journal, backupKeepMs }: Making) {
    const { createErasureService } = await import('../services/erasures/erasures.ts');
    const served = await allServed(store, now);
    const erasures = createErasureService(store, {
      resources,
      now,
      sealer: sealer(),
      journal: await journal(),
      consumers: served.flatMap((one) => one.consumers ?? []),
      files: served.flatMap((one) => one.files ?? []),
      backupKeepMs: backupKeepMs(),
    });
    return { erasures };
  },
  /** Manages keys and people, for the operator. */
  async administration({ store, now, origin }: Making): Promise<Administration> {
    return {
      service: {
        keys: store.keys,
        async keyUses(keys) {
          const { keyUses } = await import('./key-uses.ts');
          return keyUses(await allServed(store, now), keys);
        },
        book: store.staff,
        regions: await regionsOf(store, now),
        now,
        accountsAmong: async (ids) => {
          const all = await Promise.all([...ids].map((id) => store.accounts.find(id)));
          return all.filter((one) => one !== undefined);
        },
        // They were found where they were read.
        anchorsAmong: async (ids) => ids,
      },
      site: {
        get origin() {
          return origin();
        },
      },
      administered: () => {},
    };
  },
  async outbound(making: Making) {
    const { createOutbound } = await import('../core/outbound/outbound.ts');
    const agent = `Ledgerstone/${about.version}`;
    making.outbound = createOutbound({ allowed: making.allowed(), agent });
    return {};
  },
} satisfies Readonly<Record<string, (making: Making) => Promise<Taken>>>;

export type Bag = ReturnType<typeof createBag>;

/** A part of the bag, or a feature by its name. */
export type Room = keyof typeof ROOMS | keyof typeof featureServes;

export function createBag(parts: BagParts) {
  const now = Date.now;
  const { store, sealer, isKeyed } = parts;
  let query: Promise<Query> | undefined;
  const making: Making = {
    ...parts,
    now,
    outbound: undefined,
    query() {
      query ??= import('../records/query/query.ts').then(({ createQuery }) =>
        createQuery(store, resources, { now }),
      );
      return query;
    },
  };
  const serving = (): ServeParts => ({
    store,
    resources,
    now,
    tests: [],
    get sealer() {
      return sealer();
    },
    get isKeyed() {
      return isKeyed();
    },
    ...(making.outbound && { outbound: making.outbound }),
  });
  const taken = new Map<Room, Taken>();
  const made = async (room: Room): Promise<Taken> => {
    if (room in ROOMS) return ROOMS[room as keyof typeof ROOMS](making);
    const serves: Readonly<Record<string, (parts: ServeParts) => Promise<Served>>> = featureServes;
    const served = await serves[room]?.(serving());
    return { [room]: served?.service };
  };
  return {
    /** Gives the services of these, in this order. */
    async take(rooms: readonly Room[]): Promise<Taken> {
      for (const room of rooms) if (!taken.has(room)) taken.set(room, await made(room));
      return Object.assign({}, ...rooms.map((room) => taken.get(room)));
    },
    close: () => making.outbound?.close(),
  };
}

async function allServed(store: Store, now: () => number): Promise<readonly Served[]> {
  return Object.values<Served>(await serveFeatures({ store, resources, now }));
}

async function regionsOf(store: Store, now: () => number) {
  const { createRegions } = await import('../records/auth/region.ts');
  return createRegions(store, resources, now);
}
