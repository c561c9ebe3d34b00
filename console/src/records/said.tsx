/** What features say of a record, where it is true. */
import type { OfRecord } from './records.ts';

export function said({ resource: { says }, record }: OfRecord) {
  return says.map(({ name, label }) => record[name] && <span class="tag warn">{label}</span>);
}
