/** The location that is looked at, as this window stores it. */

const NAME = 'location';

export function keptLocation(): string | undefined {
  return globalThis.sessionStorage?.getItem(NAME) ?? undefined;
}

export function keepLocation(id: string | undefined): void {
  if (id === undefined) sessionStorage.removeItem(NAME);
  else sessionStorage.setItem(NAME, id);
}
