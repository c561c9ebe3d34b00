/** A page as it is filled, row by row, until it holds as many records or bytes as it may. */
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

  /** Whether the next row of the walk had a place on the page. */
  take(row: RecordRow): boolean {
    const record = toRecord(row);
    this.#bytes += Buffer.byteLength(record.document);
    const { length } = this.#records;
    this.#more = length === this.#limit || (length > 0 && this.#bytes > this.#most);
    if (!this.#more) this.#records.push(record);
    return !this.#more;
  }

  /** The values in the order of the list, which the walk goes along or against. */
  page(forward: boolean): Page {
    return { records: forward ? this.#records : this.#records.reverse(), more: this.#more };
  }
}
