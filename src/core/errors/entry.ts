/** Makes entries of the catalogue. */

function withStatus(status: number) {
  return (message: string, hint: string) => ({ status, message, hint });
}

/** An entry for a fault of a request. */
export const invalid = (message: string, hint: string, status = 400) => ({ status, message, hint });
export const unauthenticated = withStatus(401);
export const denied = withStatus(403);
export const missing = withStatus(404);
export const conflict = withStatus(409);
export const gone = withStatus(410);
export const unmet = withStatus(412);
export const tooLarge = withStatus(413);
export const limited = withStatus(429);
export const unavailable = withStatus(503);

/** The other sentences of an entry: by their codes, each with an example of its values. */
export function finer<
  const E extends { readonly status: number; readonly hint: string },
  const F extends Readonly<Record<string, { readonly message: string; readonly hint?: string }>>,
>(
  of: string,
  { status, hint }: E,
  codes: F,
): { readonly [code in keyof F]: Pick<E, 'status' | 'hint'> & F[code] & { of: string } } {
  return Object.fromEntries(
    Object.entries(codes).map(([code, one]) => [code, { status, hint, ...one, of }]),
  ) as never;
}
