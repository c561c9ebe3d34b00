/** What was removed and can be restored: `api.removals`. */
import { type ChangePage, ChangePages } from './changes.ts';
import type { Removal, RemovalListParams, RestoredRemoval } from './generated/removals.ts';
import type { Send } from './send.ts';
import type { RequestOptions } from './settings.ts';

const PATH = '/v1/removals';

export class Removals {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** What was removed, newest first, page by page. */
  list(params: RemovalListParams = {}, options?: RequestOptions): ChangePages<Removal> {
    return new ChangePages((position) => {
      const query = position === undefined ? params : { ...params, starting_after: position };
      return this.#send({ method: 'GET', path: PATH, query, options }) as Promise<
        ChangePage<Removal>
      >;
    });
  }

  /** Throws `removal_missing` once it is restored. */
  retrieve(unique_identifier: string, options?: RequestOptions): Promise<Removal> {
    return this.#send({ method: 'GET', path: one(unique_identifier), options }) as Promise<Removal>;
  }

  /** Restores the record that was removed and all that went with it. Safe to repeat: it goes on where it stopped. */
  restore(
    unique_identifier: string,
    { dry_run, ...options }: RequestOptions & { readonly dry_run?: boolean | undefined } = {},
  ): Promise<RestoredRemoval> {
    const path = `${one(unique_identifier)}/restore`;
    const query = dry_run === undefined ? {} : { dry_run };
    return this.#send({ method: 'POST', path, query, options }) as Promise<RestoredRemoval>;
  }
}

function one(unique_identifier: string): string {
  if (unique_identifier === '') throw new TypeError('A unique_identifier is needed.');
  return `${PATH}/${encodeURIComponent(unique_identifier)}`;
}
