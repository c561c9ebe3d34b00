/** Makes drafts for the store from the parameters of upserts. */
import { ApiError } from '../../core/errors.ts';
import { parentOf, type Resource } from '../../core/schema/define.ts';
import { createIdentifiers } from '../../core/schema/id.ts';
import { parseStored } from '../../core/schema/json/json.ts';
import type { UpsertRequest } from '../../core/schema/parse/parse.ts';
import { isPinning } from '../../core/schema/pins.ts';
import { inWords } from '../../core/schema/present/words.ts';
import type { ExternalReference } from '../../core/schema/reference.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { featureRefuseTooOld } from '../../features/store.ts';
import { sealedProbe } from '../../store/promises/erasing/sealed.ts';
import type {
  Draft,
  Erased,
  Outcome,
  Refused,
  RefuseTooOld,
  Scope,
  Store,
  StoredRecord,
  Written,
} from '../../store/promises/store.ts';
import { TextDraft } from '../../store/records/content.ts';
import { judge } from '../../store/records/judge.ts';
import { createResolver, type ResolvedReference, refuseAnchor } from './resolve.ts';

/** The optional parts of a draft, in addition to the record. */
export type DraftExtras = Pick<Draft, 'only' | 'receipt' | 'by' | 'pins'>;

/** Parents that were looked up for one request, by their reference. */
export type ParentLookups = Map<string, Promise<ResolvedReference>>;

export type Drafts = ReturnType<typeof createDrafts>;

export function createDrafts(
  store: Pick<Store, 'erasing' | 'find' | 'findPair' | 'sources'>,
  root: RecordShape,
) {
  /** Drops pins in an account that does not pin: people's changes are stored as usual, and end existing pins. */
  const withPins = async (draft: Pick<Draft, 'account' | 'pins'>): Promise<Pick<Draft, 'pins'>> => {
    if (draft.pins !== 'set') return {};
    const scope = { accounts: new Set([draft.account]), anchors: undefined };
    const found = await store.find(root, draft.account, scope);
    const isOn = found === undefined || isPinning(parseStored(found.document) as JsonObject);
    return isOn ? {} : { pins: 'override' };
  };

  const resolver = createResolver(store);

  const authorize = async (scope: Scope, draft: Draft): Promise<Draft> => {
    const found = await store.findPair(draft.shape, draft);
    refuseAnchor(found?.unique_identifier, scope);
    return draft;
  };

  const draftAt = (
    place: ResolvedReference,
    scope: Scope,
    { shape, anchor }: Resource,
    { external_identifier, patch }: UpsertRequest,
    extras: DraftExtras | undefined,
  ): Draft | Promise<Draft> => {
    const { account, unique_identifier: parent } = place;
    const own = { shape, account, anchor: place.anchor, parent, external_identifier, ...extras };
    const make = (from: Pick<Draft, 'source' | 'pins'>): Draft | Promise<Draft> => {
      const draft = TextDraft.of({ ...own, ...from }, patch);
      return anchor && scope.anchors !== undefined ? authorize(scope, draft) : draft;
    };
    if (extras?.by === undefined) return make({});
    if (extras.pins === 'set') {
      const { by } = extras;
      return withPins(own).then(async (pins) =>
        make({ source: await store.sources.numberOf(account, by), ...pins }),
      );
    }
    const source = store.sources.numberOf(account, extras.by);
    return typeof source === 'number'
      ? make({ source })
      : source.then((one) => make({ source: one }));
  };

  return {
    withPins,
    dropCached: resolver.dropCached,
    /**
     * Creates an upsert's draft, synchronously if its parent is cached and the key is not limited to single records
     * of this resource. Throws `resource_missing` for a parent that does not exist or that the key may not see, and
     * `location_not_permitted`.
     */
    make(scope: Scope, resource: Resource, request: UpsertRequest, extras?: DraftExtras) {
      const place = resolver.resolve(parentOf(resource), request.parent, scope);
      return place instanceof Promise
        ? place.then((found) => draftAt(found, scope, resource, request, extras))
        : draftAt(place, scope, resource, request, extras);
    },
    /** Creates drafts without the cache: each parent is looked up once for all drafts of a request. */
    async makeUncached(
      scope: Scope,
      resource: Resource,
      request: UpsertRequest,
      extras?: DraftExtras,
      found: ParentLookups = new Map(),
    ): Promise<Draft> {
      const { parent } = request;
      const look = () => resolver.resolveUncached(parentOf(resource), parent, scope);
      const place = await found.getOrInsertComputed(JSON.stringify(parent), look);
      return draftAt(place, scope, resource, request, extras);
    },
    /**
     * Finds the record with these identifiers, without the cache. Throws `resource_missing` if its parent or the record
     * does not exist or the key may not see it, and `location_not_permitted` as for upserts.
     */
    async recordUncached(
      scope: Scope,
      resource: Resource,
      { parent, external_identifier }: ExternalReference,
    ): Promise<StoredRecord> {
      const above = parentOf(resource);
      const { account, unique_identifier } = await resolver.resolveUncached(above, parent, scope);
      const pair = { account, parent: unique_identifier, external_identifier };
      const found = await store.findPair(resource.shape, pair);
      if (resource.anchor) refuseAnchor(found?.unique_identifier, scope);
      if (found !== undefined) return found;
      throw new ApiError('resource_missing', {
        param: 'external_identifier',
        message: `This ${inWords(above.name)} has no ${inWords(resource.name)} with this external_identifier.`,
      });
    },
  };
}

type CreateRefuseTooOld = (
  store: Store,
  shapes: readonly RecordShape[],
  now: () => number,
) => RefuseTooOld;
const creating: readonly CreateRefuseTooOld[] = featureRefuseTooOld;

/** Marks drafts of records that features judge too old to be created. */
export const createRefuseTooOld: CreateRefuseTooOld = (...parts) => {
  const refusing = creating.map((create) => create(...parts));
  return (drafts) =>
    refusing.reduce<ReturnType<RefuseTooOld>>(
      (marked, mark) => (marked instanceof Promise ? marked.then(mark) : mark(marked)),
      drafts,
    );
};

/**
 * Returns whether a draft was refused because of a parent that the caller named by its own identifiers. Another record
 * may have them by now: create the draft again, with `makeUncached`.
 */
export function mayBeStale({ parent }: UpsertRequest, outcome: Outcome): outcome is Refused {
  return (
    typeof parent !== 'string' &&
    outcome.outcome === 'refused' &&
    outcome.error.code === 'resource_missing' &&
    outcome.error.param !== undefined
  );
}

export type Rehearse = ReturnType<typeof createRehearse>;

/** Returns the record as a draft would leave it; the unique identifier of a created one is never used. */
export function createRehearse(store: Pick<Store, 'findPair' | 'erasing'>, now: () => number) {
  const identify = createIdentifiers(now);

  return async (draft: Draft): Promise<Written | Refused | Erased> => {
    const { shape } = draft;
    const before = await store.findPair(shape, draft);
    const isSealed = sealedProbe(draft.external_identifier) !== undefined;
    if ((before === undefined || isSealed) && (await store.erasing.refuses(draft)) !== undefined)
      return { outcome: 'erased' };
    return judge(draft, before, {
      now: now(),
      identify: () => identify(shape.prefix),
      position: () => 0,
    }).outcome;
  };
}
