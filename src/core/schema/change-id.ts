/**
 * The unique identifiers of changes and removals, which are places in the log of their account: 128 bits in 22 base-62
 * characters, as all unique identifiers have. A removal is named by the change that removed its first record.
 */
import { decode128, encode128 } from './id.ts';

const CHANGE = 'chg_';
const REMOVAL = 'rem_';
const FORM = /^[0-9A-Za-z]{22}$/;

/** The place of a change in the log of its account, and its commit: the parts of an identifier. */
export interface Mark {
  readonly position: number;
  /** The index among the changes of the commit: 0, 1, 2, … */
  readonly place: number;
  /** 48 random bits that distinguish the commit from any other with that position. */
  readonly token: number;
}

export function changeId(account: string, mark: Mark): string {
  return CHANGE + encodeMark(account, mark);
}

/** `undefined` where the text is not an identifier of a change in that account. */
export function readChangeId(account: string, text: string): Mark | undefined {
  return text.startsWith(CHANGE) ? decodeMark(account, text.slice(CHANGE.length)) : undefined;
}

export function removalId(account: string, mark: Mark): string {
  return REMOVAL + encodeMark(account, mark);
}

/** `undefined` where the text is not an identifier of a removal in that account. */
export function readRemovalId(account: string, text: string): Mark | undefined {
  return text.startsWith(REMOVAL) ? decodeMark(account, text.slice(REMOVAL.length)) : undefined;
}

/** 40 bits of position, 20 of place, 48 of token, 20 of the account. */
function encodeMark(account: string, { position, place, token }: Mark): string {
  const [high, low] = [Math.floor(token / 2 ** 44), token % 2 ** 44];
  return encode128(
    Math.floor(position / 2 ** 8),
    (((position % 2 ** 8) << 24) | (place << 4) | high) >>> 0,
    Math.floor(low / 2 ** 12),
    (((low % 2 ** 12) << 20) | checkOf(account)) >>> 0,
  );
}

function decodeMark(account: string, text: string): Mark | undefined {
  if (!FORM.test(text)) return undefined;
  const bits = decode128(text);
  if (bits === undefined || Number(bits & 0xfffffn) !== checkOf(account)) return undefined;
  return {
    position: Number(bits >> 88n),
    place: Number((bits >> 68n) & 0xfffffn),
    token: Number((bits >> 20n) & 0xffffffffffffn),
  };
}

/** FNV-1a, folded to 20 bits: distinguishes a change of one account from those of others that the same caller has. */
function checkOf(account: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < account.length; at++) {
    hash = Math.imul(hash ^ account.charCodeAt(at), 0x01000193);
  }
  return ((hash >>> 12) ^ hash) & 0xfffff;
}
