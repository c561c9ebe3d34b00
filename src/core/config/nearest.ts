/** The name that was meant by one misspelled by a letter or two. */
import { distance } from '../schema/search/distance.ts';

/** Shorter names are near to many words that mean something else. */
const SHORTEST = 6;
const LONG = 10;

export function nearest(name: string, known: readonly string[]): string | undefined {
  let most = name.length < LONG ? 1 : 2;
  let found: string | undefined;
  for (const one of known) {
    const away = one.length < SHORTEST ? Number.POSITIVE_INFINITY : distance(name, one, most);
    if (away > most) continue;
    found = one;
    most = away - 1;
  }
  return found;
}
