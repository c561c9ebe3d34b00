/** `--fast`: a command on a whole store takes no pauses for the running service. */
import { Option } from 'commander';
import { createPacing, type Pacing, stepAside } from '../services/transfer/pace.ts';

export interface PaceOptions {
  readonly fast?: true;
  readonly json?: true;
}

export function fastOption(): Option {
  return new Option(
    '--fast',
    'Take no pauses, for a store that no service uses. Otherwise half of the time is left to others',
  );
}

/** `undefined`: no pauses. */
export function paceOf({ fast }: PaceOptions): Pacing | undefined {
  if (fast) return undefined;
  stepAside();
  return createPacing();
}
