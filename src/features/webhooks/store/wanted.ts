/** Patterns of the notifications that an endpoint wants. */
export const ANY = '*';

export function isWanted(notifications: readonly string[], resource: string, outcome: string) {
  return notifications.some((pattern) => {
    if (pattern === ANY) return true;
    const [name, what] = partsOf(pattern);
    return (name === ANY || name === resource) && (what === ANY || what === outcome);
  });
}

export function partsOf(pattern: string): readonly [resource: string, outcome: string | undefined] {
  const dot = pattern.indexOf('.');
  return dot < 0 ? [pattern, undefined] : [pattern.slice(0, dot), pattern.slice(dot + 1)];
}
