/** Marks that find refused requests by the caller's identifiers, which may be names and are never stored: keyed HMACs. */
import { createHmac } from 'node:crypto';
import { cellsOf } from '../../core/schema/csv/cells.ts';
import type { Columns } from '../../core/schema/csv/columns.ts';

/** The purpose that their keys are derived for. */
export const IDENTIFIERS = 'identifiers of refused requests';
/** The most marks of a bulk request: those of its first refused rows. */
export const MOST_FINGERPRINTS = 200;
const NAME = 'external_identifier';
/** The characters after the name in JSON: a text of 255, each of which may be escaped. */
const WINDOW = 1_600;
const IN_JSON = /^"external_identifier"\s*:\s*("(?:[^"\\]|\\.)+")/;
const IN_FORM = /(?:^|&)external_identifier=([^&]{1,3000})/;
const FINGERPRINT_LENGTH = 16;

export type IdentifierFingerprints = ReturnType<typeof createFingerprints>;

/** The first key makes new marks. */
export function createFingerprints(keys: readonly Uint8Array[]) {
  const fingerprint = (key: Uint8Array, identifier: string) =>
    createHmac('sha256', key).update(identifier).digest('base64url').slice(0, FINGERPRINT_LENGTH);
  const [newest] = keys;
  if (newest === undefined) throw new TypeError('There is no key to make marks with.');
  return {
    of: (identifier: string) => fingerprint(newest, identifier),
    /** Finds a mark made with any of the keys. */
    all: (identifier: string) => keys.map((key) => fingerprint(key, identifier)),
  };
}

/** The identifier in a body or a row, which need not be valid JSON. */
export function identifierInJson(bytes: Uint8Array): string | undefined {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const at = body.indexOf(`"${NAME}"`);
  if (at < 0) return undefined;
  const text = IN_JSON.exec(body.subarray(at, at + WINDOW).toString())?.[1];
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

/** That of a form or a query string. */
export function identifierInForm(text: string): string | undefined {
  const sent = IN_FORM.exec(text)?.[1];
  if (sent === undefined) return undefined;
  try {
    return decodeURIComponent(sent.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** That of a row of a table. */
export function identifierInCells(bytes: Uint8Array, columns: Columns): string | undefined {
  const cells = cellsOf(bytes, columns.delimiter);
  if ('says' in cells) return undefined;
  return cells[columns.at.findIndex((column) => column?.name === NAME)] || undefined;
}
