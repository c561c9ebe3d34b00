/** Looks for a person in what has no index, piece by piece: free-form text of records, the log of changes, refused rows, names. */
import type { LookPlace } from '../../../core/objects/records/erasure.ts';
import type { Resource } from '../../../core/schema/define.ts';
import type { Scan } from '../../../store/promises/search.ts';
import type { Store } from '../../../store/promises/store.ts';
import type { Mentions } from './mentions.ts';
import { namedIn } from './names.ts';
import { refusedRows } from './rows.ts';

export interface Looked {
  readonly found: readonly {
    readonly resource: string;
    readonly record: string;
    readonly reason: 'mentioned' | 'earlier_version' | 'removed';
  }[];
  /** Rows that mention the person, once they were looked through. */
  readonly refused_rows?: number;
  /** Names of objects that mention the person. */
  readonly named_in?: readonly string[];
  /** Where to go on; `null`: it is through. */
  readonly place: LookPlace | null;
}

export class Everywhere {
  readonly #store: Store;
  /** Resources that can be erased. */
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
    if (place.in === 'rows') {
      const { imports } = this.#store;
      const { rows: refused_rows } = await refusedRows(imports, account, mentions, { cuts: false });
      const named_in = await namedIn(this.#store, account, mentions);
      return { found: [], refused_rows, named_in, place: null };
    }
    const { rough } = mentions;
    const { met, next } = await this.#store.search.scan({ account, place, rough });
    const mentioning = met.filter(({ text }) => mentions(text));
    if (place.in === 'log')
      return { found: await this.#past(account, mentioning), place: next ?? { in: 'rows' } };
    const found = mentioning.map(({ resource, record }) => ({
      resource,
      record,
      reason: 'mentioned' as const,
    }));
    const beyond = this.#resources[this.#resources.indexOf(place.resource) + 1];
    if (next !== undefined) return { found, place: next };
    return {
      found,
      place: beyond === undefined ? { in: 'log' } : { in: 'records', resource: beyond },
    };
  }

  /** Whether these changes were of records that are there now, or of removed ones. */
  async #past(account: string, changes: Scan['met']): Promise<Looked['found']> {
    const found = new Map<string, Looked['found'][number]>();
    const scope = { accounts: new Set([account]), anchors: undefined };
    for (const { resource, record } of changes) {
      const shape = this.#shapes.get(resource);
      if (shape === undefined || found.has(record)) continue;
      const isThere = (await this.#store.find(shape, record, scope)) !== undefined;
      if (!isThere && (await this.#store.log.gone(resource, record, [account])) === undefined)
        continue;
      found.set(record, { resource, record, reason: isThere ? 'earlier_version' : 'removed' });
    }
    return [...found.values()];
  }
}
