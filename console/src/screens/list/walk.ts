/** The list that a person came from, so that they can go from its one record to the next. */
import type { Shown } from '../../records/records.ts';

interface Walked {
  readonly path: string;
  readonly records: readonly Shown[];
}

let walked: Walked | undefined;

export function walkThrough(path: string, records: readonly Shown[]): void {
  walked = { path, records };
}

/** The page of the list on which that record is. */
export function walkedWith(path: string, id: string): readonly Shown[] | undefined {
  if (walked?.path !== path) return undefined;
  const { records } = walked;
  return records.some(({ unique_identifier }) => unique_identifier === id) ? records : undefined;
}

export function besides(
  path: string,
  id: string,
): { readonly previous?: string; readonly next?: string } {
  const records = walkedWith(path, id) ?? [];
  const index = records.findIndex(({ unique_identifier }) => unique_identifier === id);
  const previous = records[index - 1]?.unique_identifier;
  const next = index < 0 ? undefined : records[index + 1]?.unique_identifier;
  return {
    ...(previous === undefined ? {} : { previous }),
    ...(next === undefined ? {} : { next }),
  };
}
