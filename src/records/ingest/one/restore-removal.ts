/**
 * Restores all records of one removal, parents first, in several commits. A restore that was interrupted continues when
 * it is sent again, since restored records are no longer listed as removed.
 */
import { ApiError } from '../../../core/errors.ts';
import { FairSlots } from '../../../core/fair/slots.ts';
import type { RestoredRemoval, UnrestoredRecord } from '../../../core/objects/records/removal.ts';
import { parentOf, type Resource } from '../../../core/schema/define.ts';
import { parseStored } from '../../../core/schema/json/json.ts';
import { declaredOf } from '../../../core/schema/merge/merge.ts';
import { pinsIn, withPins } from '../../../core/schema/pins.ts';
import { inWords } from '../../../core/schema/present/words.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import type { ChangeCursor, RemovedRecord } from '../../../store/promises/log.ts';
import { parentRemoved } from '../../../store/promises/refusals.ts';
import type { Draft, RefuseTooOld, Store } from '../../../store/promises/store.ts';
import { authorize, type Principal } from '../../auth/principal.ts';
import { createRefuseTooOld } from '../drafts.ts';
import { refuseAnchor } from '../resolve.ts';
import { createReturnPlaces, type ReturnPlace } from '../return-place.ts';
import { erasedError } from './write.ts';

/** Records per commit: few enough that others do not wait long for it. */
const CHUNK = 100;
/** Restores in progress, of all keys and of one. */
const AT_ONCE = 2;
const OF_KEY = 1;
const MAX_NAMED = 100;

interface RestoreOptions {
  readonly dry_run: boolean;
  /** Looks up the caller's current rights before each commit. Left out if they cannot change. */
  readonly caller?: () => Promise<Principal>;
}

/** Throws `permission_denied`, `location_not_permitted` and `removal_missing`, with nothing done. */
export function createRestoreRemoval(
  store: Store,
  resources: readonly Resource[],
  now: () => number = Date.now,
) {
  const shapes = resources.map(({ shape }) => shape);
  const refuseTooOld = createRefuseTooOld(store, shapes, now);
  const slots = new FairSlots({ slots: AT_ONCE, ofGroup: OF_KEY });
  const below = resources.filter(({ parent }) => parent !== undefined);

  return (
    principal: Principal,
    { account, cursor }: { readonly account: string; readonly cursor: ChangeCursor },
    { dry_run, caller = async () => principal }: RestoreOptions,
  ): Promise<RestoredRemoval> =>
    slots.run(principal.key, async () => {
      const removed = ({ shape: { resource } }: Resource, limit: number, after?: string) =>
        store.log.removed({ account, removal: cursor.position, resource, after, limit });
      for (const resource of below) {
        const [some] = await removed(resource, 1);
        if (some !== undefined) permit(principal, resource, some);
      }

      /** Whether what it belonged to was removed with it. */
      const isGoneWith = async (resource: Resource, { parent = '' }: RemovedRecord) => {
        const { shape } = parentOf(resource);
        const above = await store.log.gone(shape.resource, parent, [account]);
        return above?.removal === cursor.position;
      };
      const left: UnrestoredRecord[] = [];
      let [restored, left_count] = [0, 0];
      /** No more than a removal takes. */
      const staying = new Set<string>();
      const leave = (one: RemovedRecord, { code, faults: [fault] }: ApiError): void => {
        left_count += 1;
        staying.add(one.change.record);
        if (left.length === MAX_NAMED) return;
        const { resource, record } = one.change;
        const { external_identifier } = one;
        left.push({ resource, record, external_identifier, code, message: fault?.message ?? '' });
      };
      for (const resource of below) {
        /** A dry run brings nothing back that others could go below. */
        const refusedOf = async (one: RemovedRecord, placeOf: PlaceOf) => {
          const { parent = '', below } = one;
          if (below === null && !staying.has(parent) && (await isGoneWith(resource, one)))
            return undefined;
          const place = await placeOf(resource, one);
          return place === undefined
            ? parentRemoved(resource.shape)
            : existing(store, resource, one, place);
        };
        for (let after: string | undefined; ; ) {
          const some = await removed(resource, CHUNK, after);
          const [first] = some;
          if (first !== undefined) permit(await caller(), resource, first);
          const placeOf = createReturnPlaces(store, principal.scope);
          const errors = dry_run
            ? await Promise.all(some.map((one) => refusedOf(one, placeOf)))
            : await commit({ store, refuseTooOld, resource, by: principal.key, placeOf }, some);
          for (const [at, one] of some.entries()) {
            const error = errors[at];
            if (error === undefined) restored += 1;
            else leave(one, error);
          }
          after = some.at(-1)?.change.record;
          if (some.length < CHUNK) break;
        }
      }
      return { restored, left, left_count };
    });
}

/** Checks the location of the first record, which contains all records of a removal. */
function permit(principal: Principal, resource: Resource, { change }: RemovedRecord): void {
  authorize(principal, resource.path, 'read');
  authorize(principal, resource.path, 'write');
  if (resource.anchor) refuseAnchor(change.record, principal.scope);
  else if (principal.scope.anchors?.has(change.anchor ?? '') === false)
    throw new ApiError('removal_missing');
}

type PlaceOf = ReturnType<typeof createReturnPlaces>;

interface Committing {
  readonly store: Pick<Store, 'commit' | 'findPair' | 'sources'>;
  readonly refuseTooOld: RefuseTooOld;
  readonly resource: Resource;
  readonly by: string;
  readonly placeOf: PlaceOf;
}

/** Commits the restored records, and returns for each the error with which it stays removed. */
async function commit(
  { store, refuseTooOld, resource, by, placeOf }: Committing,
  removed: readonly RemovedRecord[],
): Promise<readonly (ApiError | undefined)[]> {
  const places = await Promise.all(removed.map((one) => placeOf(resource, one)));
  const drafts = await Promise.all(
    removed.map(async (one, at) => {
      const source = await store.sources.numberOf(one.account, by);
      return draftOf(resource, { by, source }, one, places[at]);
    }),
  );
  const judged = await refuseTooOld(drafts.filter((draft) => draft !== undefined));
  const outcomes = [...(await store.commit(judged))];
  return Promise.all(
    removed.map(async (one, at) => {
      const outcome = drafts[at] && outcomes.shift();
      if (outcome?.outcome === 'erased') return erasedError(outcome);
      if (outcome !== undefined && outcome.outcome !== 'refused') return undefined;
      if (one.change.content === null)
        return new ApiError('version_missing', { message: CONTENT_LOST });
      const place = places[at];
      const error = place && (await existing(store, resource, one, place));
      return error ?? parentRemoved(resource.shape);
    }),
  );
}

/** Returns the draft; `undefined` if its parent does not exist. */
function draftOf(
  { shape, anchor }: Resource,
  from: Required<Pick<Draft, 'by' | 'source'>>,
  one: RemovedRecord,
  place: ReturnPlace | undefined,
): Draft | undefined {
  const { account, external_identifier, inserted_at, created_by, change } = one;
  if (place === undefined || change.content === null) return undefined;
  const { parent } = place;
  const { record: unique_identifier, version, position } = change;
  const document = parseStored(change.content) as JsonObject;
  return {
    shape,
    account,
    parent,
    external_identifier,
    ...from,
    anchor: anchor ? undefined : place.anchor,
    patch: withPins(declaredOf(shape.document, document), pinsIn(document)),
    restores: { gone: { unique_identifier, version, position, inserted_at, created_by } },
  };
}

const CONTENT_LOST =
  'The content of the record is damaged in the store: ask the operator for a backup.';

async function existing(
  store: Pick<Store, 'findPair'>,
  { shape }: Resource,
  { account, external_identifier }: RemovedRecord,
  { parent }: ReturnPlace,
): Promise<ApiError | undefined> {
  const found = await store.findPair(shape, { account, parent, external_identifier });
  if (!found) return undefined;
  return new ApiError('record_exists', {
    message: `${found.unique_identifier} has this external_identifier by now: it stays as it is, and this ${inWords(shape.resource)} stays removed.`,
  });
}
