/** Which moments, in the order in which they were noted, a clock gave that was right: those that rise together. */

/**
 * For each, whether it is among the most that rise together, and is not still to come. A clock that was ahead or behind
 * for a while is told by what was noted before and afterwards; of as many that rise together, those with the smaller steps.
 */
export function areDated(moments: readonly number[], now: number): readonly boolean[] {
  /** By how many rise together: the places of those that end them, the latest moment first. */
  const ends: number[][] = [];
  const before: (number | undefined)[] = [];
  const isUpTo = (moment: number) => (at: number) => (moments[at] ?? 0) <= moment;
  for (const [at, moment] of moments.entries()) {
    if (moment > now) continue;
    let length = ends.length;
    while (length > 0 && !ends[length - 1]?.some(isUpTo(moment))) length -= 1;
    before[at] = ends[length - 1]?.find(isUpTo(moment));
    const those = ends[length] ?? [];
    ends[length] = those;
    those.push(at);
  }
  const dated = moments.map(() => false);
  for (let at = ends.at(-1)?.at(-1); at !== undefined; at = before[at]) dated[at] = true;
  return dated;
}
