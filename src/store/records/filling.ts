/** Fills a page, row by row, up to its limits of records and bytes. */
import { Buffer } from 'node:buffer';
import type { ListQuery, Page, StoredRecord } from '../promises/records.ts';
import { type RecordRow, toRecord } from './records.ts';

export class Filling {
  readonly #limit: number;
  readonly #most: number;
  readonly #records: StoredRecord[] = [];
  #bytes = 0;
  #more = false;

  constructor({ limit, bytes = Number.POSITIVE_INFINITY }: Pick<ListQuery, 'limit' | 'bytes'>) {
    this.#limit = limit;
    this.#most = bytes;
  }

  /** Adds the next row of the walk; returns whether it had a place on the page. */
  take(row: RecordRow): boolean {
    const record = toRecord(row);
    this.#bytes += Buffer.byteLength(record.document);
    const { length } = this.#records;
    this.#more = length === this.#limit || (length > 0 && this.#bytes > this.#most);
    if (!this.#more) this.#records.push(record);
    return !this.#more;
  }

  /** Returns the page in the order of the list, which the walk followed or reversed. */
  page(forward: boolean): Page {
    return { records: forward ? this.#records : this.#records.reverse(), more: this.#more };
  }
}
