/** `--name` and `--source`, which are the same everywhere. */
import { MAX_SOURCE_NAME } from '../core/objects/source.ts';
import { nameFault } from '../core/registry.ts';
import { countCodePoints, isBlank } from '../core/schema/fields/kinds/text.ts';
import { Mistake } from './mistake.ts';

/** Gives the name back; throws a `Mistake` unless an account may have it. */
export function checkName(name: string): string {
  const fault = nameFault(name);
  if (fault === undefined) return name;
  throw new Mistake(
    fault.code === 'parameter_missing' ? '--name must not be blank.' : `--${fault.message}`,
  );
}

/** Gives the name back; throws a `Mistake` unless a source may have it. */
export function checkSourceName(name: string): string {
  if (isBlank(name)) throw new Mistake('--source must not be blank.');
  if (countCodePoints(name) <= MAX_SOURCE_NAME) return name;
  throw new Mistake(`--source must have at most ${MAX_SOURCE_NAME} characters.`);
}
