/** Folds entries of the audit: what somebody saw of one record in a day is one row. */
import type { AuditEntry } from '../../../../client/src/generated/objects.d.ts';
import { usualZone } from '../../places/zones.ts';
import { resourceOf } from '../../records/description.ts';
import { withOffset } from '../../values/days.ts';

export interface Story {
  /** The newest. */
  readonly entry: AuditEntry;
  readonly entries: readonly AuditEntry[];
  readonly count: number;
}

/** What shows a record to a person. */
const LOOKS = new Set<string>(['read', 'history', 'image', 'list', 'print']);

export function isLook({ action, record }: AuditEntry): boolean {
  return LOOKS.has(action) && record !== undefined && resourceOf(record) !== undefined;
}

/** In the order of their newest entries. */
export function storiesOf(entries: readonly AuditEntry[]): readonly Story[] {
  const stories = new Map<string, AuditEntry[]>();
  for (const entry of entries) {
    const { by, action, resource, record, what, time } = entry;
    const day = withOffset(new Date(time), usualZone.value).slice(0, 10);
    const seen = isLook(entry) ? ['looked'] : [action, resource, what];
    const name = [day, by, record, ...seen].join(' ');
    const found = stories.get(name);
    if (found === undefined) stories.set(name, [entry]);
    else found.push(entry);
  }
  return [...stories.values()].map((all) => ({
    entry: all[0] as AuditEntry,
    entries: all,
    count: all.reduce((sum, { count }) => sum + count, 0),
  }));
}
