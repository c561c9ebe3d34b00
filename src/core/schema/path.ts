/** Dotted paths of fields, as `param` names them: `person.full_name`, `image_urls.0`. */
import type { ErrorCode, Faults, Said } from '../errors.ts';

/** A member's name or an element's index. */
export type PathStep = string | number;

/** Levels of objects and arrays that a body may nest, the body itself being the first. */
export const MAX_NESTING = 32;

// One part costs little, but a megabyte can have half a million: a body with more than any record can store is not parsed.
/** Members of all objects, or fields of a form. Content of 64 KiB has some ten thousand. */
export const MAX_MEMBERS = 32_768;
/** Commas and opening brackets: members, elements, objects and arrays. Content of 64 KiB has some forty thousand. */
export const MAX_PARTS = 65_536;

/** Longer paths end in `…`: an answer must not repeat a key of a megabyte a hundred times. */
const LONGEST_PATH = 500;

/**
 * The path of a member of what `path` names (`undefined` names the body). It can be shown
 * and stored anywhere: NUL characters and lone surrogates appear as U+FFFD.
 */
export function memberPath(path: string | undefined, step: PathStep): string {
  if (path !== undefined && path.length > LONGEST_PATH) return path;
  const name = typeof step === 'number' ? String(step) : presentable(step);
  const whole = path === undefined ? name : `${path}.${name}`;
  return whole.length > LONGEST_PATH ? `${whole.slice(0, LONGEST_PATH).toWellFormed()}…` : whole;
}

/** The path that the steps lead to from the body; of no steps, `undefined`: the body has no path. */
export function dottedPath(steps: readonly PathStep[]): string | undefined {
  let path: string | undefined;
  for (const step of steps) path = memberPath(path, step);
  return path;
}

/**
 * Adds a fault of the field that the steps lead to; `said` gets what to call the field.
 * A fault that will only be counted costs no path.
 */
export function addFaultAt(
  faults: Faults,
  steps: readonly PathStep[],
  code: ErrorCode,
  said: (field: string) => string | Said,
): void {
  if (faults.isFull) {
    faults.add(undefined, code, '');
  } else {
    const path = dottedPath(steps);
    faults.add(path, code, () => said(path ?? 'The body'));
  }
}

function presentable(name: string): string {
  return name
    .slice(0, LONGEST_PATH + 1)
    .toWellFormed()
    .replaceAll('\0', '\ufffd');
}
