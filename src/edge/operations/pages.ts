/** The pages of lists. All of them are made here, so that each is bounded in bytes and says whether there is more. */
import { Buffer } from 'node:buffer';
import { ApiError } from '../../core/errors.ts';
import { optional, text, wholeNumber } from '../../core/schema/fields/index.ts';
import { cursorUnknown } from '../../store/promises/refusals.ts';

export interface PageOptions {
  /** How many entries a page has unless the request says otherwise. */
  readonly limit: number;
  /** How many it has at most, if more than that. */
  readonly max?: number;
  /** The member of an entry to send as `starting_after`, if not its unique identifier. */
  readonly cursor?: string;
}

export interface PageQuery {
  readonly limit?: number;
  readonly starting_after?: string;
}

/** The members of a query that asks for a page. */
export function paging({ limit, max = limit, cursor = 'unique_identifier' }: PageOptions) {
  return {
    limit: optional(wholeNumber({ min: 1, max }), `Maximum number to return; ${limit} by default`),
    starting_after: optional(text({}), `${cursor} of the last one of the page before`),
  };
}

/** The bytes of a page, as of one of records. */
export const MAX_PAGE_BYTES = 4_194_304;
/** Entries that are read at a time where each may be large. */
const SLICE = 32;

interface PageReading {
  readonly limit: number;
  /** How many entries are read at a time. */
  readonly slice?: number;
  readonly cursor?: string;
  readonly after: string | undefined;
  /** The entries after that one, up to a limit. */
  readonly find: (after: string | undefined, limit: number) => Promise<readonly object[]>;
}

/** Fills a page up to its limits of entries and bytes, with one entry at least, a slice after the other. */
async function pageWithin({
  limit,
  slice = SLICE,
  cursor = 'unique_identifier',
  find,
  ...from
}: PageReading): Promise<readonly [readonly object[], more: boolean]> {
  const entries: object[] = [];
  let bytes = 0;
  for (let { after } = from; ; ) {
    const wanted = Math.min(slice, limit + 1 - entries.length);
    let found: readonly object[];
    try {
      found = await find(after, wanted);
    } catch (error) {
      // The one after which it goes on was removed meanwhile.
      if (entries.length > 0 && error instanceof ApiError) return [entries, true];
      throw error;
    }
    for (const one of found) {
      bytes += bytesOf(JSON.stringify(one));
      if (entries.length === limit || (entries.length > 0 && bytes > MAX_PAGE_BYTES))
        return [entries, true];
      entries.push(one);
    }
    if (found.length < wanted) return [entries, false];
    after = (found.at(-1) as Readonly<Record<string, string>>)[cursor];
  }
}

/** A page that is read in slices. */
export async function pageOf(url: string, reading: PageReading): Promise<object> {
  const [data, has_more] = await pageWithin(reading);
  return { object: 'list', url, has_more, data };
}

/** A page of entries of which all are known, in the order of the list; `show` makes what is answered. */
export function pageAmong<One extends { readonly unique_identifier: string }>(
  url: string,
  all: readonly One[],
  { starting_after, limit = all.length + 1 }: PageQuery,
  show: (one: One) => object | Promise<object>,
): Promise<object> {
  const places = new Map(all.map(({ unique_identifier }, at) => [unique_identifier, at]));
  return pageOf(url, {
    limit,
    after: starting_after,
    find: (after, most) => {
      const last = after === undefined ? -1 : places.get(after);
      if (last === undefined)
        throw cursorUnknown(
          'unique_identifier of an entry that you may see, and that is still there',
        );
      return Promise.all(all.slice(last + 1, last + 1 + most).map(show));
    },
  });
}

/** A page of entries that are JSON text; it ends early where its bytes do. `more` are members that only some lists have. */
export function listText(
  url: string,
  entries: readonly string[],
  has_more: boolean,
  more: {
    /** The place after the page, or after the entry at an index. */
    readonly position?: string | null;
    readonly positionAfter?: (at: number) => string | null;
    readonly held_by?: string;
  } = {},
): string {
  const fitting = fittingIn(entries);
  const isCut = fitting < entries.length;
  const { positionAfter, ...others } = more;
  const position = isCut ? positionAfter?.(fitting - 1) : undefined;
  const members = JSON.stringify({ ...others, ...(position !== undefined && { position }) });
  const rest = members === '{}' ? '' : `,${members.slice(1, -1)}`;
  return `{"object":"list","url":${JSON.stringify(url)},"has_more":${has_more || isCut},"data":[${entries.slice(0, fitting).join()}]${rest}}`;
}

/** How many of them a page has room for: one at least. */
function fittingIn(entries: readonly string[]): number {
  let bytes = 0;
  const over = entries.findIndex((one) => {
    bytes += bytesOf(one);
    return bytes > MAX_PAGE_BYTES;
  });
  return over < 0 ? entries.length : Math.max(over, 1);
}

const bytesOf = (text: string): number => Buffer.byteLength(text);
