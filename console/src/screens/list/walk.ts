/** The list that a person came from, so that they can go from its one record to the next. */
import type { Shown } from '../../records/records.ts';

let walked: { readonly path: string; readonly records: readonly Shown[] } | undefined;

export function walkThrough(path: string, records: readonly Shown[]): void {
  walked = { path, records };
}

/** The page of the list on which that record is. */
export function walkedWith(path: string, id: string): readonly Shown[] | undefined {
  if (walked?.path !== path) return undefined;
  const { records } = walked;
  return records.some(({ unique_identifier }) => unique_identifier === id) ? records : undefined;
}

export function besides(path: string, id: string) {
  const records = walkedWith(path, id) ?? [];
  const index = records.findIndex(({ unique_identifier }) => unique_identifier === id);
  const at = (place: number) => (index < 0 ? undefined : records[place]?.unique_identifier);
  return { previous: at(index - 1), next: at(index + 1) };
}
