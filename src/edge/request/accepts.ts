/** Chooses the type of an answer by the `Accept` of its request, in this one place (RFC 9110, section 12.5.1). */

interface MediaRange {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly weight: number;
}

/**
 * The type that the caller prefers among these, which may have parameters: by the weight of the most specific range
 * that names it; of those that weigh the same, the first. Where the caller takes none of them, also the first: an
 * answer of another type is of more use than none.
 */
export function preferred<Type extends string>(
  accept: string | undefined,
  types: readonly [Type, ...Type[]],
): Type {
  let [found] = types;
  if (accept === undefined) return found;
  const ranges = split(accept, ',').map(rangeOf);
  let most = 0;
  for (const type of types) {
    const weight = weightOf(rangeOf(type), ranges);
    if (weight <= most) continue;
    most = weight;
    found = type;
  }
  return found;
}

/** Whether the caller is a browser, or wants a page for another reason. */
export function prefersPage(accept: string | undefined): boolean {
  return preferred(accept, ['application/json', 'text/html']) === 'text/html';
}

function weightOf(type: MediaRange, ranges: readonly MediaRange[]): number {
  let weight = 0;
  let closest = 0;
  for (const range of ranges) {
    const close = closenessOf(type, range);
    if (close < closest || close === 0) continue;
    // Of two that are as specific the more generous counts.
    weight = close > closest ? range.weight : Math.max(weight, range.weight);
    closest = close;
  }
  return weight;
}

/** How specific a range is that names the type; 0 if it does not. Parameters that the type does not have say nothing of it. */
function closenessOf({ type, parameters }: MediaRange, range: MediaRange): number {
  if (range.type === '*/*' || range.type === '*') return 1;
  if (range.type.endsWith('/*')) return type.startsWith(range.type.slice(0, -1)) ? 2 : 0;
  if (range.type !== type) return 0;
  let close = 3;
  for (const [name, value] of range.parameters) {
    const own = parameters.get(name);
    if (own !== undefined && own !== value) return 0;
    if (own !== undefined) close += 1;
  }
  return close;
}

function rangeOf(text: string): MediaRange {
  const [type = '', ...others] = split(text.toLowerCase(), ';');
  const parameters = new Map<string, string>();
  for (const one of others) {
    const [, name = '', value = ''] = /^([^=]+?)\s*=\s*"?(.*?)"?$/.exec(one) ?? [];
    if (name !== '') parameters.set(name, value);
  }
  const weight = Number(parameters.get('q') ?? 1);
  parameters.delete('q');
  // A weight that is no number says nothing.
  return { type, parameters, weight: Number.isNaN(weight) ? 1 : Math.min(1, Math.max(0, weight)) };
}

/** The parts between separators that are not within quotes. */
function split(text: string, separator: ',' | ';'): readonly string[] {
  const part =
    separator === ',' ? /(?:[^,"]|"(?:\\.|[^"\\])*"?)+/g : /(?:[^;"]|"(?:\\.|[^"\\])*"?)+/g;
  return Array.from(text.matchAll(part), ([one]) => one.trim()).filter((one) => one !== '');
}
