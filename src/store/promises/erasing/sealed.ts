/** The external identifiers of redacted records: a mark of ours, and a keyed hash of the former one. */

const SEALED = 'erased-';
/** 128 bits in base64. */
export const PROBE_LENGTH = 22;

export function sealedBy(probe: string): string {
  return SEALED + probe;
}

/** The hash in the external identifier of a redacted record, or of what looks like one. */
export function sealedProbe(external_identifier: string): string | undefined {
  return external_identifier.length === SEALED.length + PROBE_LENGTH &&
    external_identifier.startsWith(SEALED)
    ? external_identifier.slice(SEALED.length)
    : undefined;
}

interface Sealing {
  readonly erasing: { sealedAs(resource: string, external_identifier: string): readonly string[] };
}

/** The record that had this external identifier before it was redacted: what belongs to it is still found by that. */
export async function findSealed<Found>(
  { erasing }: Sealing,
  { resource, redacts }: { readonly resource: string; readonly redacts?: unknown },
  external_identifier: string,
  find: (sealed: string) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  if (redacts === undefined) return undefined;
  for (const sealed of erasing.sealedAs(resource, external_identifier)) {
    const found = await find(sealed);
    if (found !== undefined) return found;
  }
  return undefined;
}
