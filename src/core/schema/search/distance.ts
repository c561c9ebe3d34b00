/** The edit distance of two short words. */

/**
 * The least number of letters to insert, delete, replace or swap with their
 * neighbour; where it is more than `most`, some number above that.
 */
export function distance(one: string, other: string, most = Number.POSITIVE_INFINITY): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, j) => j);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      let least = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
        least = Math.min(least, (beforeLast[j - 2] as number) + 1);
      }
      row.push(least);
    }
    // A swap reaches back by two rows, and costs one.
    if (Math.min(...row) > most && Math.min(...last) >= most) return most + 1;
    beforeLast = last;
    last = row;
  }
  return last[other.length] as number;
}
