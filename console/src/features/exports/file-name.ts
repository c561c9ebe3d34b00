/** The name of a file that is saved here. */
import { now } from '../../clock.ts';
import { usualZone } from '../../places/zones.ts';
import { withOffset } from '../../values/days.ts';

/** Says what is in it, in the reader's words, and of which day, so that a folder has its files in their order. */
export function fileNameOf(what: string, ending: string): string {
  return `${what} ${withOffset(now(), usualZone.value).slice(0, 10)}.${ending}`;
}
