/** The names of sources, by their identifiers. */
import { api } from '../../service/api.ts';

const PAGE = 1000;

export async function sourceNames(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const { data } = await api.sources.list({ limit: PAGE }, { signal }).page();
  return new Map(data.map((one) => [one.unique_identifier, one.name]));
}
