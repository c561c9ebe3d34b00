/** `--name`, which is the same everywhere. */
import { nameFault } from '../core/registry.ts';
import { Mistake } from './mistake.ts';

/** Throws a `Mistake` unless an account may have this name. */
export function checkName(name: string): void {
  const fault = nameFault(name);
  if (fault === undefined) return;
  throw new Mistake(
    fault.code === 'parameter_missing' ? '--name must not be blank.' : `--${fault.message}`,
  );
}
