/** Entries of the catalogue for what a caller sent. */

/** An entry for a fault of a request. */
export const invalid = (message: string, hint: string, status = 400) => ({
  status,
  message,
  hint,
});

/** The other sentences of an entry: by their codes, each with an example of its values. */
export function finer<
  const E extends { readonly status: number; readonly hint: string },
  const F extends Readonly<Record<string, { readonly message: string; readonly hint?: string }>>,
>(
  of: string,
  entry: E,
  codes: F,
): { readonly [code in keyof F]: Pick<E, 'status' | 'hint'> & F[code] & { of: string } } {
  const { status, hint } = entry;
  return Object.fromEntries(
    Object.entries(codes).map(([code, one]) => [code, { status, hint, ...one, of }]),
  ) as never;
}
