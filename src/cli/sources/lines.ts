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
  newer: 'its source, or that of something below it, changed it after the data was taken',
  replaced: 'another record has its identifiers now, and stays',
  parent_gone: 'what it belonged to is gone: restore that, or send it again, and undo its removal',
  erased: 'it was erased',
  past_retention: 'it is too old by a retention rule',
  not_restored: 'its content is damaged: ask for a backup',
};

const DOUBTS: Readonly<Record<string, string>> = {
  row: 'does not say which record it is',
  refused: 'was refused',
  cut: 'broke off',
  under_way: 'has not ended',
};

const UNRESTORED = ['replaced', 'parent_gone', 'erased', 'past_retention', 'not_restored'];
const MOST_NAMED = 100;

/** Tells what came back when a sync was undone, and what did not. */
export function linesOfUndone({ restored, left }: Sync): readonly string[] {
  const stays = left.filter(({ reason }) => UNRESTORED.includes(reason));
  return [
    `${count(restored ?? 0, 'record')} restored.`,
    ...(stays.length === 0 ? [] : ['These stay removed:']),
    ...stays.map((one) => `${one.resource} ${one.record}: ${REASONS[one.reason] ?? one.reason}`),
    ...(stays.length < MOST_NAMED ? [] : ['There may be more.']),
  ];
}

/** The records that a sync removed or would remove, and those that it left. */
export function linesOfSync(sync: Sync, dry_run: boolean): readonly string[] {
  const { removed, records, left, left_count, repeated, doubts, doubts_count, refusal } = sync;
  const by = Object.entries(removed).map(([name, number]) => `${name}: ${number}`);
  const what = by.length === 0 ? '' : ` (${by.join(', ')})`;
  const says = `${count(removedBy(sync), 'record')}${what}`;
  const unnamed = left_count - left.length;
  return [
    dry_run ? `Would remove ${says}.` : `Removed ${says}.`,
    ...(dry_run ? records : []).map(
      (one) => `${one.resource} ${one.record}: ${one.external_identifier ?? 'removed for good'}`,
    ),
    ...(refusal === null ? [] : [refusal]),
    ...(doubts_count === 0
      ? []
      : [
          `Not taken, so that nobody knows which records it was: ${doubts_count.toLocaleString('en-US')}`,
        ]),
    ...doubts.map(({ request, reason, row, code }) =>
      [request, row === null ? '' : `row ${row}`, DOUBTS[reason] ?? reason, code ?? '']
        .filter((one) => one !== '')
        .join(', '),
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
