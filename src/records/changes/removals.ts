/** Lists removals that can be restored, each with the record that it began with, as far as the log of changes goes back. */
import { ApiError } from '../../core/errors.ts';
import { createPageReads } from '../../core/fair/page-reads.ts';
import { present as presentOwn } from '../../core/objects/own-object.ts';
import { removal } from '../../core/objects/records/removal.ts';
import type { Resource } from '../../core/schema/define.ts';
import { readRemovalId, removalId } from '../../core/schema/id.ts';
import { parseStored } from '../../core/schema/json/json.ts';
import { titleOf } from '../../core/schema/present/display.ts';
import { plainText } from '../../core/schema/search/folding.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { RemovedRecord } from '../../store/promises/log.ts';
import { cursorUnknown } from '../../store/promises/refusals.ts';
import type { Store } from '../../store/promises/store.ts';
import { type Principal, seesKey } from '../auth/principal.ts';
import type { Narrowing } from '../auth/region.ts';
import { accountOf } from './feed.ts';
import { sees } from './view.ts';

const AT_ONCE = 100;
/** Records to read for one page before it ends with a removal; one may have some thousands more. */
const MAX_SCANNED = 1_000;

interface RemovalsRequest extends Omit<Narrowing, 'region'> {
  /** Words that one of its records held, or that are in its external identifier. */
  readonly q?: string | undefined;
  /** Names of resources; `undefined`: all. */
  readonly resources?: ReadonlySet<string> | undefined;
  /** The unique identifier of a record of the removal. */
  readonly record?: string | undefined;
  readonly limit: number;
  /** The unique identifier of a removal. */
  readonly starting_after?: string | undefined;
}

export type RemovalList = ReturnType<typeof createRemovals>;

const REMOVAL =
  'unique_identifier of a removal in this account: send the `position` of the page before';

export function createRemovals(
  store: Store,
  resources: readonly Resource[],
  reads = createPageReads(),
) {
  const [root] = resources;
  if (root === undefined) throw new TypeError('The registry is empty.');
  const byName = new Map(resources.map((resource) => [resource.shape.resource, resource]));

  const isVisible = (principal: Principal, { change }: RemovedRecord): boolean => {
    const resource = byName.get(change.resource);
    if (resource?.anchor && principal.scope.anchors?.has(change.record) === false) return false;
    return sees(principal, resource, change);
  };

  /** Finds a removal in the log of changes. Throws `removal_missing`. */
  const find = async (principal: Principal, text: string) => {
    for (const account of principal.scope.accounts) {
      const cursor = readRemovalId(account, text);
      if (cursor === undefined) continue;
      if (typeof (await store.log.next(account, cursor)) !== 'string') return { account, cursor };
    }
    throw new ApiError('removal_missing');
  };

  /** The first record of the removal that removed a record. */
  const tookOf = async (
    among: readonly Resource[],
    record: string,
    accounts: readonly string[],
  ): Promise<RemovedRecord | undefined> => {
    const resource = among.find(({ prefix }) => record.startsWith(prefix));
    const gone = resource && (await store.log.gone(resource.shape.resource, record, accounts));
    if (gone === undefined) return undefined;
    const { account, removal } = gone;
    const [first] = await store.log.removals({ account, before: removal + 1, limit: 1 });
    return first?.removal === removal ? first : undefined;
  };

  const present = (principal: Principal, removed: RemovedRecord): string => {
    const { change, account, external_identifier, below } = removed;
    const { by, content, resource, record } = change;
    const document = content === null ? {} : (parseStored(content) as JsonObject);
    const shown = {
      unique_identifier: removalId(account, change),
      account,
      resource,
      record,
      external_identifier,
      name: titleOf(byName.get(resource) as Resource, document) ?? null,
      location: change.anchor,
      count: (below ?? 0) + 1,
      version: change.version - 1,
      key: by !== null && seesKey(principal, by) ? by : null,
      removed_at: change.occurred_at,
    };
    return JSON.stringify(presentOwn(removal, shown, 'api', 0));
  };

  return {
    find,
    /** Throws `resource_missing` for an account and `position_unknown` for a position that the caller does not have. */
    async page(principal: Principal, request: RemovalsRequest) {
      const { q = '', resources: only, location, record, limit, starting_after } = request;
      const account = accountOf(principal, request.account, root.shape);
      const from = starting_after && readRemovalId(account, starting_after);
      if (starting_after !== undefined && !from) throw cursorUnknown(REMOVAL, 'position_unknown');
      const words = plainText(q).split(/\s+/).filter(Boolean);
      const isWanted = (removed: RemovedRecord): boolean => {
        const { change } = removed;
        if (!isVisible(principal, removed) || only?.has(change.resource) === false) return false;
        const at = byName.get(change.resource)?.anchor ? change.record : change.anchor;
        return location === undefined || location === at;
      };
      const holds = ({ external_identifier, change }: RemovedRecord): boolean => {
        const text = plainText(`${external_identifier} ${change.content ?? ''}`);
        return words.every((word) => text.includes(word));
      };
      let scanned = 0;
      /** Whether the words are in a record of the removal that the key may see. */
      const isHeld = async (first: RemovedRecord): Promise<boolean> => {
        if (holds(first)) return true;
        if (!first.below) return false;
        const { removal, change } = first;
        const at = resources.findIndex(({ shape }) => shape.resource === change.resource);
        for (const { shape } of resources.slice(at + 1)) {
          const query = { account, removal, resource: shape.resource, limit: AT_ONCE };
          for (let after: string | undefined; ; ) {
            const some = await reads.run(principal.key, () =>
              store.log.removed({ ...query, after }),
            );
            scanned += Math.max(some.length, 1);
            if (some.some((one) => isVisible(principal, one) && holds(one))) return true;
            after = some.at(-1)?.change.record;
            if (some.length < AT_ONCE) break;
          }
        }
        return false;
      };
      const removals: { readonly id: string; readonly text: string }[] = [];
      let last: RemovedRecord | undefined;
      let before = from ? from.position : Number.MAX_SAFE_INTEGER;
      /** `position` is the unique identifier of the last removal that was read. */
      const page = (more: boolean) => {
        const position = last ? removalId(account, last.change) : (starting_after ?? null);
        return { removals, more, position };
      };
      const take = async (removed: RemovedRecord): Promise<void> => {
        if (isWanted(removed) && (await isHeld(removed)))
          removals.push({
            id: removalId(account, removed.change),
            text: present(principal, removed),
          });
      };
      if (record !== undefined) {
        const removed = await tookOf(resources, record, [account]);
        if (removed !== undefined) await take(removed);
        return page(false);
      }
      for (;;) {
        const found = await reads.run(principal.key, () =>
          store.log.removals({ account, before, limit: AT_ONCE }),
        );
        for (const removed of found) {
          if (removals.length === limit || scanned >= MAX_SCANNED) return page(true);
          last = removed;
          before = removed.removal;
          scanned += 1;
          await take(removed);
        }
        if (found.length < AT_ONCE) return page(false);
      }
    },
    /** The removal as JSON text, until its first record is restored. Throws `removal_missing`. */
    async one(principal: Principal, unique_identifier: string): Promise<string> {
      const { account, cursor } = await find(principal, unique_identifier);
      const query = { account, before: cursor.position + 1, limit: 1 };
      const [removed] = await store.log.removals(query);
      if (removed?.position !== cursor.position || !isVisible(principal, removed))
        throw new ApiError('removal_missing');
      return present(principal, removed);
    },
    /** The unique identifier of the removal of that record, if it can be restored. */
    async of({ scope }: Principal, resource: Resource, record: string) {
      const removed = await tookOf([resource], record, [...scope.accounts]);
      return removed && removalId(removed.account, removed.change);
    },
  };
}
