/** Pins of a record, and the proposals of sources for what staff corrected, as far as the key may see the records. */
import { ApiError } from '../../core/errors.ts';
import type { PageReads } from '../../core/fair/page-reads.ts';
import { type OwnObject, present } from '../../core/objects/own-object.ts';
import {
  pin as pinObject,
  proposal as proposalObject,
} from '../../core/objects/records/proposal.ts';
import type { Resource } from '../../core/schema/define.ts';
import { parseStored, stringify } from '../../core/schema/json/json.ts';
import { foundAt, memberOf, type Pin, pinsIn } from '../../core/schema/pins.ts';
import { titleOf } from '../../core/schema/present/display.ts';
import { TRUE } from '../../core/schema/shape.ts';
import type { Json, JsonObject } from '../../core/schema/values.ts';
import { pagesOf } from '../../store/pages.ts';
import { cursorUnknown, recordMissing } from '../../store/promises/refusals.ts';
import type { Store, StoredRecord } from '../../store/promises/store.ts';
import { authorize, type Principal, seesKey } from '../auth/principal.ts';
import { type Narrowing, narrowedScope } from '../auth/region.ts';
import { givingWay, type IsGone } from '../query/page.ts';

const MAX_BYTES = 2_097_152;
const IDENTIFIER = /^prp_([a-z]+_[0-9A-Za-z]+)_(\d+)_(\d+)$/;

export interface ProposalsRequest extends Narrowing {
  /** Names of resources; `undefined`: all that the key may read. */
  readonly resources: ReadonlySet<string> | undefined;
  readonly record?: string | undefined;
  readonly source?: string | undefined;
  readonly limit: number;
  readonly starting_after?: string | undefined;
}

export interface Proposed {
  readonly resource: Resource;
  readonly record: StoredRecord;
  readonly pin: Pin;
}

export type ProposalList = ReturnType<typeof createProposals>;

export function createProposals(store: Store, resources: readonly Resource[], reads: PageReads) {
  const written = resources.filter(({ parent }) => parent !== undefined);

  const sourceOf = async ({ record: { account }, pin }: Proposed): Promise<string | null> => {
    const by = pin.proposal?.by ?? null;
    return (await store.sources.of(account, [by])).get(by)?.unique_identifier ?? null;
  };

  const shown = async (principal: Principal, proposed: Proposed, status: string) => {
    const { resource, record, pin } = proposed;
    const document = documentOf(record);
    const { by = null, at = 0, value = [], unique_identifier = '' } = pin.proposal ?? {};
    return text(proposalObject, {
      unique_identifier,
      status,
      account: record.account,
      location: resource.anchor ? null : record.anchor,
      resource: resource.name,
      record: record.unique_identifier,
      external_identifier: record.external_identifier ?? '',
      name: titleOf(resource, document) ?? null,
      member: memberOf(pin),
      stored: orNull(foundAt(document, pin.path)),
      proposed: orNull(value),
      source: await sourceOf(proposed),
      proposed_by: seen(principal, by),
      proposed_at: at,
      pinned_by: seen(principal, pin.by),
      pinned_at: pin.at,
    });
  };

  /** Throws `resource_missing`, and `proposal_decided`. */
  const find = async (principal: Principal, unique_identifier: string): Promise<Proposed> => {
    const [, id = ''] = IDENTIFIER.exec(unique_identifier) ?? [];
    const resource = written.find(({ prefix }) => id.startsWith(prefix));
    if (resource !== undefined) authorize(principal, resource.path, 'read');
    const record = resource && (await store.find(resource.shape, id, principal.scope));
    if (resource === undefined || record === undefined)
      throw new ApiError('resource_missing', {
        message: 'There is no proposal with this unique_identifier, or you may not see its record.',
      });
    const pin = proposedIn(record).find(
      ({ proposal }) => proposal?.unique_identifier === unique_identifier,
    );
    if (pin === undefined) throw new ApiError('proposal_decided');
    return { resource, record, pin };
  };

  return {
    find,
    shown,

    /** Throws `resource_missing` for an account or a location that the caller does not have, and `position_unknown`. */
    async page(principal: Principal, request: ProposalsRequest, isGone?: IsGone) {
      const { limit, starting_after, resources: only, record, source } = request;
      const scope = await narrowedScope(store, resources, principal.scope, request);
      const readable = written.filter(({ path }) => principal.resources?.has(path) ?? true);
      const [, after = ''] = IDENTIFIER.exec(starting_after ?? '') ?? [];
      const first = written.find(({ prefix }) => after.startsWith(prefix));
      if (starting_after !== undefined && first === undefined) throw unknown();
      const found: Proposed[] = [];
      const take = async (resource: Resource, one: StoredRecord): Promise<void> => {
        const pins = proposedIn(one).toSorted((a, b) => placeOf(a) - placeOf(b));
        const since = one.unique_identifier === after ? numberOf(starting_after ?? '') : -1;
        for (const pin of pins) {
          const proposed = { resource, record: one, pin };
          if (placeOf(pin) <= since) continue;
          if (source === undefined || source === (await sourceOf(proposed))) found.push(proposed);
        }
      };
      for (const resource of readable) {
        const wasListed = first !== undefined && written.indexOf(resource) < written.indexOf(first);
        if (wasListed || only?.has(resource.name) === false) continue;
        if (record !== undefined && !record.startsWith(resource.prefix)) continue;
        const last = resource === first ? after : undefined;
        const wanted = last ?? record;
        const [own] =
          wanted === undefined ? [] : await store.findAll(resource.shape, [wanted], scope);
        if (own !== undefined) await take(resource, own);
        else if (last !== undefined) throw unknown();
        if (record !== undefined) continue;
        const query = {
          shape: resource.shape,
          scope,
          order: 'newest',
          bytes: MAX_BYTES,
          limit: limit + 1,
          where: [{ by: { key: 'proposed' }, is: '=', value: TRUE }],
          after: last === undefined ? undefined : { unique_identifier: last },
        } as const;
        const list: Store['list'] = (page) =>
          reads.run(principal.key, (giveWay) =>
            store.list({ ...page, giveWay: givingWay(giveWay, isGone) }),
          );
        for await (const { records } of pagesOf({ list }, query)) {
          for (const one of records) await take(resource, one);
          if (found.length > limit) break;
        }
        if (found.length > limit) break;
      }
      /** As JSON texts: by resource, the newest records first. */
      const proposals: string[] = [];
      let length = 0;
      for (const one of found.slice(0, limit)) {
        const text = await shown(principal, one, 'open');
        length += text.length;
        if (proposals.length > 0 && length > MAX_BYTES) break;
        proposals.push(text);
      }
      return { proposals, more: found.length > proposals.length };
    },

    /** The pins of a record, as JSON texts. Throws `resource_missing`. */
    async pins(principal: Principal, resource: Resource, unique_identifier: string) {
      authorize(principal, resource.path, 'read');
      const found = await store.find(resource.shape, unique_identifier, principal.scope);
      if (found === undefined) throw recordMissing(resource.shape, unique_identifier);
      const document = documentOf(found);
      return pinsIn(document).map((pin) =>
        text(pinObject, {
          member: memberOf(pin),
          stored: orNull(foundAt(document, pin.path)),
          supplied: orNull(pin.said.at(-1) ?? []),
          pinned_by: seen(principal, pin.by),
          pinned_at: pin.at,
          proposal: pin.proposal?.unique_identifier ?? null,
        }),
      );
    },
  };
}

function documentOf(record: StoredRecord): JsonObject {
  return parseStored(record.document) as JsonObject;
}

function proposedIn(record: StoredRecord): readonly Pin[] {
  return pinsIn(documentOf(record)).filter(({ proposal }) => proposal !== undefined);
}

/** The order of the proposals of one record. */
function placeOf({ proposal }: Pin): number {
  return numberOf(proposal?.unique_identifier ?? '');
}

function numberOf(unique_identifier: string): number {
  const [, , version = 0, place = 0] = IDENTIFIER.exec(unique_identifier) ?? [];
  return Number(version) * 1_000 + Number(place);
}

function seen(principal: Principal, by: string | null): string | null {
  return by !== null && seesKey(principal, by) ? by : null;
}

function orNull([value = null]: readonly Json[]): Json {
  return value;
}

function text<O extends object>(object: OwnObject, shown: O): string {
  return stringify(present(object, shown as never, 'api', 0));
}

const unknown = () =>
  cursorUnknown('unique_identifier of a proposal that you may see', 'position_unknown');
