/** Adds the names of sources to the lists of what has a source. */
import { ApiError } from '../../core/errors.ts';
import { sourceOperations } from '../../edge/operations/feeds/sources.ts';
import type { At } from '../derived/members.ts';

interface OfSource {
  readonly source: string;
}

export type NamedSource = OfSource & { readonly source_name: string | null };

const [listSources] = sourceOperations;

/** Calls the operation, and adds the names of sources to its list. */
export async function withSources(at: At, operation: string): Promise<readonly NamedSource[]> {
  const found = await at.every<OfSource>(operation);
  await at.here?.take(['sources']);
  const { account } = at.members as { readonly account?: string };
  type Named = Readonly<Record<'unique_identifier' | 'name', string>>;
  const all = await at.every<Named>(listSources, { members: { account } }).catch(noneIfDenied);
  const names = new Map(all.map((one) => [one.unique_identifier, one.name]));
  return found.map((one) => ({ ...one, source_name: names.get(one.source) ?? null }));
}

/** A key that may not see the others gets the list without them. */
export function noneIfDenied(error: unknown): readonly never[] {
  const { cause } = error as Error;
  if (cause instanceof ApiError && cause.code === 'permission_denied') return [];
  throw error;
}
