/**
 * What a backup file is: zstd of lines of JSON, and a seal. The lines are a header;
 * parts, each a line that names it and then its rows; and a trailer that says what
 * there was. Without trailer and seal it is no backup.
 */
import { constants } from 'node:zlib';

/** Of the format. A file with a greater one is for a newer Ledgerstone. */
export const FORMAT = 1;

export interface Header {
  readonly ledgerstone: 'backup';
  readonly format: number;
  /** The Ledgerstone that wrote it. */
  readonly version: string;
  /** The moment that it shows, as RFC 3339. */
  readonly taken_at: string;
  /** The kind of the store that it shows. */
  readonly store: string;
}

export interface PartLine {
  readonly part: string;
}

export interface Trailer {
  readonly end: true;
  /** By what is counted: rows, and what `Digests` makes of them. */
  readonly rows: Readonly<Record<string, number>>;
  readonly digests: Readonly<Record<string, string>>;
  /** Of all lines before this one, their ends included. */
  readonly sha256: string;
}

/** How lines of parts and trailers begin; no row begins like that. */
export const PART = '{"part":';
export const END = '{"end":';

/** No line has more characters. */
export const LONGEST_LINE = 64 * 1024 * 1024;

export const compression = {
  params: {
    [constants.ZSTD_c_compressionLevel]: 3,
    [constants.ZSTD_c_checksumFlag]: 1,
  },
};
