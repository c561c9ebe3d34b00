/** The records of one resource: `api.events`. */
import type { HistoryEntry } from './generated/changes.d.ts';
import type { Pin } from './generated/objects.d.ts';
import { Limit } from './limit.ts';
import { List, type Page } from './list.ts';
import { type RowAnswers, type RowResult, rowAnswers, sendMany } from './many.ts';
import { inPath } from './query.ts';
import { requirePlain } from './said.ts';
import type { Send } from './send.ts';
import type {
  RecordOptions,
  RemoveOptions,
  RequestOptions,
  UpsertManyOptions,
  UpsertOptions,
} from './settings.ts';

/** The types of a resource that is read. */
export interface Readable {
  /** A record as it is answered by itself. */
  readonly record: object;
  /** A record as lists show it. */
  readonly entry: { readonly unique_identifier: string };
  /** Parameters of lists. */
  readonly list: object;
  /** Objects that `expand` adds, by name. */
  readonly expandable: object;
}

/** The types of a resource that is written, too. */
export interface Writable extends Readable {
  readonly upsert: object;
  readonly patch: object;
  /** Who a record is, by the identifiers of the caller. */
  readonly named: object;
  readonly removed: object;
}

/** Objects to include with a record. */
export interface Expand<E> {
  /** The records that it belongs to, to include with it. */
  readonly expand?: readonly E[] | undefined;
}

export interface OfVersion {
  /** The version to read; by default the current one. */
  readonly version?: number | undefined;
}

/** Parameters of `history`. */
export interface HistoryParams {
  /** How many changes to read at a time, at most 1,000. */
  readonly limit?: number | undefined;
  /** The `unique_identifier` of the change after which the page starts. */
  readonly starting_after?: string | undefined;
}

/** The row, whose members all have to be known ones: of what a generator yields the compiler looks for no others itself. */
export type Strict<Row, Known> = Row & {
  readonly [Name in Exclude<keyof Row, Names<Known>>]: never;
};

/** The names of all branches of a union. */
type Names<T> = T extends unknown ? keyof T : never;

export class ReadableCollection<T extends Readable> {
  protected readonly send: Send;
  protected readonly path: string;

  constructor(send: Send, path: string) {
    this.send = send;
    this.path = `/v1/${path}`;
  }

  /**
   * The record with this `unique_identifier`, as it is or as it was at a version. Throws `resource_missing` if there is
   * none that the key may see, and `version_missing` if that version is no longer kept.
   */
  async retrieve<const E extends keyof T['expandable'] & string = never>(
    unique_identifier: string,
    options: RequestOptions & Expand<E> & OfVersion = {},
  ): Promise<T['record'] & Pick<T['expandable'], E>> {
    requirePlain(options, 'options');
    const { expand, version, ...rest } = options;
    const path = this.one(unique_identifier);
    const query = { expand, version };
    const record = await this.send({ method: 'GET', path, query, options: rest });
    return record as T['record'] & Pick<T['expandable'], E>;
  }

  /** The records that the key may see and that match every filter. Iterate over all of them with `for await`, or read one page with `page()`. */
  list<const E extends keyof T['expandable'] & string = never>(
    params: T['list'] & Expand<E> = {},
    options?: RequestOptions,
  ): List<T['entry'] & Pick<T['expandable'], E>> {
    const backwards = 'ending_before' in params && params.ending_before !== undefined;
    return new List((cursor) => {
      // The first page has said how many there are.
      const query = cursor === undefined ? params : { ...params, include: undefined };
      return this.send({ method: 'GET', path: this.path, query, cursor, options }) as Promise<
        Page<T['entry'] & Pick<T['expandable'], E>>
      >;
    }, backwards);
  }

  /** The changes of the record, newest first, also if it was removed. Iterate with `for await`. */
  history(
    unique_identifier: string,
    params: HistoryParams = {},
    options?: RequestOptions,
  ): List<HistoryEntry> {
    const path = `${this.one(unique_identifier)}/history`;
    return new List((cursor) => {
      return this.send({ method: 'GET', path, query: params, cursor, options }) as Promise<
        Page<HistoryEntry>
      >;
    }, false);
  }

  protected one(unique_identifier: string): string {
    return `${this.path}/${inPath(unique_identifier)}`;
  }
}

export class Collection<T extends Writable> extends ReadableCollection<T> {
  readonly #limit = new Limit();

  /** Creates the record, or merges the fields into the existing one. Safe to repeat. `answerOf` says which. */
  upsert<const E extends keyof T['expandable'] & string = never>(
    params: T['upsert'],
    options: UpsertOptions & Expand<E> = {},
  ): Promise<T['record'] & Pick<T['expandable'], E>> {
    // A second attempt to create, or to write an unchanged version, is refused.
    const once = options.mode === 'create_only' || options.ifMatch !== undefined;
    return this.#write('POST', `${this.path}/upsert`, params, options, once);
  }

  /** Changes the fields that are sent of the record with this `unique_identifier`, or of the one that your own identifiers name, and leaves the rest as it is; `null` removes one. Throws `resource_missing` if there is no such record. */
  patch<const E extends keyof T['expandable'] & string = never>(
    which: string | T['named'],
    params: T['patch'],
    options: RecordOptions & Expand<E> = {},
  ): Promise<T['record'] & Pick<T['expandable'], E>> {
    const once = options.ifMatch !== undefined;
    const { path, named } = this.#which(which);
    return this.#write('PATCH', path, params, options, once, named);
  }

  /** Gives the record the content of that version, as a new version. A removed record comes back. Safe to repeat. */
  restore<const E extends keyof T['expandable'] & string = never>(
    unique_identifier: string,
    options: RecordOptions & Expand<E> & { readonly version: number },
  ): Promise<T['record'] & Pick<T['expandable'], E>> {
    requirePlain(options, 'options');
    const path = `${this.one(unique_identifier)}/restore`;
    const { version, ...rest } = options;
    return this.#write('POST', path, { version }, rest, rest.ifMatch !== undefined);
  }

  /** Removes the record, by its `unique_identifier` or by your own identifiers. Throws `record_has_children` if others belong to it, unless `cascade` is set. */
  async remove(which: string | T['named'], options: RemoveOptions = {}): Promise<T['removed']> {
    const { path, named } = this.#which(which);
    const query = { ...named, cascade: options.cascade, dry_run: options.dryRun };
    const headers = headersOf(options, true);
    return (await this.send({ method: 'DELETE', path, query, headers, options })) as T['removed'];
  }

  /** What staff corrected of the record. */
  pins(unique_identifier: string, options?: RequestOptions): Promise<readonly Pin[]> {
    return this.#pins('GET', unique_identifier, '', options);
  }

  /** Lets the source decide about a member that staff corrected, and gives the pins that are left. */
  removePin(
    unique_identifier: string,
    member: string,
    options?: RequestOptions,
  ): Promise<readonly Pin[]> {
    return this.#pins('DELETE', unique_identifier, `/${inPath(member)}`, options);
  }

  /**
   * Upserts rows as they come, in arrays, at most two at a time; takes from `rows` only when there is room.
   * Yields the outcome of each row, in order; awaited, it sends all of them, and gives counts and the first refusals. A row
   * that is refused does not affect the others. Nothing is sent before one of the two. Waits up to ten minutes
   * for the rate limit of the key, which all arrays of this resource share.
   */
  upsertMany<Row extends T['upsert']>(
    rows: AsyncIterable<Strict<Row, T['upsert']>> | Iterable<Strict<Row, T['upsert']>>,
    options: UpsertManyOptions = {},
  ): RowAnswers<Row> {
    const { rows: most = 500, mode, dryRun, unknownFields, sync } = options;
    if (!(most >= 1 && most <= 1000)) throw new RangeError('rows must be from 1 to 1,000.');
    const path = `${this.path}/upsert_many`;
    const limit = this.#limit;
    const sent = sendMany<Row>(
      rows,
      () => Math.min(most, limit.quota),
      async (body) => {
        const headers = {
          ...headersOf({ mode, dryRun, unknownFields }, mode === 'create_only'),
          'Ledgerstone-Sync': sync,
          // Sent again, it takes the place of what was not taken before.
          'Ledgerstone-Instead-Of': sync === undefined ? undefined : newKey(),
        };
        const query = { dry_run: dryRun };
        const answer = await this.send({
          method: 'POST',
          path,
          query,
          headers,
          body,
          limit,
          options,
        });
        return (answer as { data: readonly RowResult[] }).data;
      },
      options.signal,
    );
    return rowAnswers(sent);
  }

  async #pins(
    method: 'GET' | 'DELETE',
    unique_identifier: string,
    more: string,
    options: RequestOptions | undefined,
  ): Promise<readonly Pin[]> {
    const path = `${this.one(unique_identifier)}/pins${more}`;
    return ((await this.send({ method, path, options })) as Page<Pin>).data;
  }

  #which(which: string | T['named']): { readonly path: string; readonly named: object } {
    if (typeof which === 'string') return { path: this.one(which), named: {} };
    if (typeof which !== 'object' || which === null)
      throw new TypeError('A unique_identifier is needed, or your own identifiers as an object.');
    requirePlain(which, 'What names the record');
    return { path: this.path, named: which };
  }

  async #write<E extends keyof T['expandable']>(
    method: 'POST' | 'PATCH',
    path: string,
    params: object,
    options: RecordOptions & Expand<E>,
    once: boolean,
    named: object = {},
  ): Promise<T['record'] & Pick<T['expandable'], E>> {
    const headers = headersOf(options, once);
    const query = { ...named, dry_run: options.dryRun, expand: options.expand };
    const record = await this.send({ method, path, query, headers, json: params, options });
    return record as T['record'] & Pick<T['expandable'], E>;
  }
}

/** `once`: where a repetition would be answered otherwise than the first time, unless it has an Idempotency-Key. */
function headersOf(
  { unknownFields, mode, ifMatch, idempotencyKey, dryRun }: UpsertOptions,
  once: boolean,
): Record<string, string | undefined> {
  return {
    'Ledgerstone-Unknown-Fields': unknownFields,
    'Ledgerstone-Mode': mode,
    'If-Match': ifMatch,
    'Idempotency-Key': idempotencyKey ?? (once && dryRun !== true ? newKey() : undefined),
  };
}

/** 128 bits of chance. `crypto.randomUUID` is not there on pages that came without TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
