/** Entity tags (RFC 9110, section 8.8.3). */

const ETAGS = /(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/** A strong tag of a text, for conditional requests. */
export function etagOf(tag: string): string {
  return `"${tag}"`;
}

/** Whether an `If-None-Match` names the tag, compared weakly, as it requires. */
export function isNamed(tag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return Array.from(header.matchAll(ETAGS), ([, one]) => one).includes(tag);
}

/** A strong tag that begins with a version; after it may stand those of what was expanded. */
const VERSIONED = /^"([1-9]\d{0,14})(?:;[^"]*)?"$/;
const TAGS = /(?:W\/)?"[^"]*"/g;
const LIST = /^\s*(?:W\/)?"[^"]*"\s*(?:,\s*(?:W\/)?"[^"]*"\s*)*$/;

/**
 * The versions that an `If-Match` names, compared strongly, as it requires: weak and foreign tags name none.
 * `undefined` where it is not a list of tags.
 */
export function versionsIn(header: string): number[] | undefined {
  if (!LIST.test(header)) return undefined;
  return Array.from(header.matchAll(TAGS), ([tag]) => VERSIONED.exec(tag)?.[1])
    .filter((version) => version !== undefined)
    .map(Number);
}
