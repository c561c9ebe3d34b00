/** Reads the names of form fields: `person[full_name]`, `image_urls[]`, `a[0][b]`. */

import type { ErrorCode } from '../../errors.ts';
import { dottedPath, MAX_NESTING } from '../path.ts';

export interface FormName {
  /** `person[full_name]` has the steps `person` and `full_name`, `image_urls[]` only the first. */
  readonly steps: readonly string[];
  /** Whether the name ends in `[]`. */
  readonly pushes: boolean;
}

export interface FormNameFault {
  readonly param: string | undefined;
  readonly code: ErrorCode;
  readonly message: string;
}

/** The steps of a decoded name, or its fault. Linear in the length of the name. */
export function readFormName(name: string): FormName | FormNameFault {
  const bracket = name.indexOf('[');
  const base = bracket === -1 ? name : name.slice(0, bracket);
  if (base === '')
    return malformed(name, 'a name is needed before the brackets and the equals sign');
  if (base.includes(']')) return malformed(name, 'a ] needs a [ before it');
  const steps = [base];
  if (bracket === -1) return { steps, pushes: false };

  for (let at = bracket; at < name.length; ) {
    if (name[at] !== '[') return malformed(name, 'nothing but another [ may follow a ]');
    const end = name.indexOf(']', at);
    if (end === -1) return malformed(name, 'a [ needs a ] after it');
    // The body is the first level, and every bracket makes one more.
    if (steps.length === MAX_NESTING) return tooDeep(steps);
    const step = name.slice(at + 1, end);
    if (step.includes('[')) return malformed(name, 'brackets cannot be nested');
    at = end + 1;
    if (step !== '') {
      steps.push(step);
    } else if (at === name.length) {
      return { steps, pushes: true };
    } else if (name[at] === '[') {
      return malformed(name, 'an element of an array cannot be addressed without its index');
    }
  }
  return { steps, pushes: false };
}

function malformed(name: string, rule: string): FormNameFault {
  return {
    param: dottedPath([name]),
    code: 'form_invalid',
    message: `A field has a malformed name: ${rule}. Send a[b] for a member, a[] or a[0] for an element, a[0][b] for a member of an element.`,
  };
}

function tooDeep(steps: readonly string[]): FormNameFault {
  return {
    param: dottedPath(steps),
    code: 'nesting_too_deep',
    message: `Objects and arrays may nest ${MAX_NESTING} levels deep, the body being the first; a field's name has more brackets than that. Send it flatter.`,
  };
}
