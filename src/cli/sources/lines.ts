/** Prints what a sync did. */
import type { Sync } from '../../../client/src/generated/objects.d.ts';
import { count } from '../output.ts';

const REASONS: Readonly<Record<string, string>> = {
  changed_by_other: 'another source, or a person, changed it last',
  children_of_other: 'it has records of others',
  changed_since: 'it changed after the sync began',
  children_too_many: 'it has too many records to be removed at once',
  pinned: 'staff corrected something of it',
  held: 'it is on hold',
  refused: 'it cannot be removed now',
};

/** The records that a sync removed or would remove, and those that it left. */
export function linesOfSync(sync: Sync, dry_run: boolean): readonly string[] {
  const { removed, records, left, left_count, repeated } = sync;
  const by = Object.entries(removed).map(([name, number]) => `${name}: ${number}`);
  const what = by.length === 0 ? '' : ` (${by.join(', ')})`;
  const says = `${count(removedBy(sync), 'record')}${what}`;
  const unnamed = left_count - left.length;
  return [
    dry_run ? `Would remove ${says}.` : `Removed ${says}.`,
    ...(dry_run ? records : []).map(
      (one) => `${one.resource} ${one.record}: ${one.external_identifier ?? 'removed for good'}`,
    ),
    ...(repeated === 0
      ? []
      : [`${count(repeated, 'row')} named a record that an earlier row named.`]),
    ...(left_count === 0 ? [] : [`${count(left_count, 'record')} that were not sent stay:`]),
    ...left.map((one) => `${one.resource} ${one.record}: ${REASONS[one.reason] ?? one.reason}`),
    ...(unnamed > 0 ? [`and ${unnamed.toLocaleString('en-US')} more`] : []),
  ];
}

function removedBy({ removed }: Sync): number {
  return Object.values(removed).reduce((sum, number) => sum + number, 0);
}
