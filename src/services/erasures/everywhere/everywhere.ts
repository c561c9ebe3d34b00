/** Looks for a person in what has no index, piece by piece: free-form text of records, the log of changes, refused rows. */
import type { LookPlace } from '../../../core/objects/records/erasure.ts';
import type { Resource } from '../../../core/schema/define.ts';
import type { Store } from '../../../store/promises/store.ts';
import { refusedRows } from './rows.ts';

/** What a piece reads: some milliseconds of work. */
const RECORDS = 500;
const CHANGES = 1_000;
const BYTES = 262_144;

export interface Looked {
  readonly found: readonly {
    readonly resource: string;
    readonly record: string;
    readonly reason: 'mentioned' | 'earlier_version' | 'removed';
  }[];
  /** Rows that mention the person, once they were looked through. */
  readonly refused_rows?: number;
  /** Where to go on; `null`: it is through. */
  readonly place: LookPlace | null;
}

type Mentions = (text: string) => boolean;

export class Everywhere {
  readonly #store: Store;
  /** Those that can be erased. */
  readonly #resources: readonly string[];
  readonly #shapes: ReadonlyMap<string, Resource['shape']>;

  constructor(store: Store, resources: readonly Resource[]) {
    const shapes = resources.map(({ shape }) => shape).filter(({ parent }) => parent !== undefined);
    this.#store = store;
    this.#resources = shapes.map(({ resource }) => resource);
    this.#shapes = new Map(shapes.map((shape) => [shape.resource, shape]));
  }

  get start(): LookPlace {
    return { in: 'records', resource: this.#resources[0] as string };
  }

  async piece(place: LookPlace, account: string, mentions: Mentions): Promise<Looked> {
    if (place.in === 'records') return this.#records(place, account, mentions);
    if (place.in === 'log') return this.#log(place, account, mentions);
    const { imports } = this.#store;
    const { rows: refused_rows } = await refusedRows(imports, account, mentions, { cuts: false });
    return { found: [], refused_rows, place: null };
  }

  async #records(
    { resource, after }: Extract<LookPlace, { in: 'records' }>,
    account: string,
    mentions: Mentions,
  ): Promise<Looked> {
    const shape = this.#shapes.get(resource);
    const next = this.#resources[this.#resources.indexOf(resource) + 1];
    const beyond: LookPlace =
      next === undefined ? { in: 'log' } : { in: 'records', resource: next };
    if (shape === undefined) return { found: [], place: beyond };
    const page = await this.#store.list({
      ...{ shape, order: 'newest', limit: RECORDS, bytes: BYTES },
      scope: { accounts: new Set([account]), anchors: undefined },
      ...(after === undefined ? {} : { cursor: { side: 'after', unique_identifier: after } }),
    });
    // The record where it goes on was removed.
    if (page === undefined) return { found: [], place: { in: 'records', resource } };
    const found = page.records
      .filter(({ document }) => mentions(document))
      .map(({ unique_identifier }) => ({
        ...{ resource, record: unique_identifier, reason: 'mentioned' as const },
      }));
    const last = page.records.at(-1)?.unique_identifier;
    const isThrough = !page.more || last === undefined;
    return { found, place: isThrough ? beyond : { in: 'records', resource, after: last } };
  }

  async #log(
    { after }: Extract<LookPlace, { in: 'log' }>,
    account: string,
    mentions: Mentions,
  ): Promise<Looked> {
    const { log } = this.#store;
    const query = { account, after, limit: CHANGES, bytes: BYTES, documents: true } as const;
    const page = await log.read(query);
    // Swept up to there, or the store was restored: from the first that is stored.
    if (typeof page === 'string') return { found: [], place: { in: 'log' } };
    const found = new Map<string, Looked['found'][number]>();
    for (const { resource, record, content } of page.changes) {
      if (content === null || found.has(record) || !mentions(content)) continue;
      const shape = this.#shapes.get(resource);
      if (shape === undefined) continue;
      const scope = { accounts: new Set([account]), anchors: undefined };
      const isThere = (await this.#store.find(shape, record, scope)) !== undefined;
      if (!isThere && (await log.gone(resource, record, [account])) === undefined) continue;
      found.set(record, { resource, record, reason: isThere ? 'earlier_version' : 'removed' });
    }
    const last = page.changes.at(-1);
    return {
      found: [...found.values()],
      place:
        page.more && last !== undefined
          ? {
              in: 'log',
              after: { position: last.position, place: last.place, token: last.token },
            }
          : { in: 'rows' },
    };
  }
}
