/**
 * The format of backup files: zstd-compressed lines of JSON, and a seal. The lines are a header; parts, each a line
 * that names it and then its rows; and a trailer that says what there was. Without trailer and seal it is not a
 * backup.
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
  /** Left out of a whole backup. */
  readonly increment?: Increment;
  /** Of a whole backup that was written while increments went on: `sha256` of the one that shows the same moment. */
  readonly beside?: string;
}

/** The additions of a file to the one before it. */
export interface Increment {
  /** 1, 2, 3, … */
  readonly number: number;
  /** `sha256` in the trailer of the file before. */
  readonly follows: string;
}

/** Where the next increment begins. */
export interface Marks {
  /** By account: the position and the token of its last change. */
  readonly changes: Readonly<Record<string, readonly [position: number, token: number]>>;
  /** The last time at which a receipt expires. */
  readonly receipts: number;
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
  /** Where increments may follow. */
  readonly marks?: Marks;
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
