/** The preferences in a header such as `Accept` or `Accept-Encoding` (RFC 9110, section 12.4.2). */

/** The weight of each name in it, from 0 to 1; names are in lower case. */
export function weightsIn(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const one of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim());
    let weight = 1;
    for (const parameter of parameters) {
      const [, quality] = /^q\s*=\s*([\d.]+)$/.exec(parameter) ?? [];
      if (quality !== undefined) weight = Number(quality) || 0;
    }
    weights.set(name, weight);
  }
  return weights;
}
