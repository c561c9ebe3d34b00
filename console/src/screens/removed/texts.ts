/** Texts about removals and their restore. */
import { plural } from '../../texts.ts';

export const says = {
  about: 'What was removed and can be restored, with everything that went with it.',
  search: 'Name, or anything else it held',
  none: 'Nothing was removed',
  noneHint: 'What staff or systems remove is listed here and can be restored.',
  what: 'What',
  count: 'Removed with it',
  others: (count: number): string => plural(count, 'other', 'others'),
  by: 'By',
  you: 'You',
  when: 'When',
  restore: 'Restore',
  everything: 'Restore everything',
  /** On the page that the record had; `together`: what it was removed with. */
  story: (name: string, when: string, together: string): string =>
    `${name} was removed ${when}${together === '' ? '' : ` with ${together}`}.`,
  sure: (name: string): string => `Restore ${name}?`,
  would: (count: number): string =>
    count === 0
      ? 'Nothing can be restored.'
      : `${plural(count, 'record', 'records')} will be restored.`,
  done: (count: number): string =>
    count === 0 ? 'Nothing was restored.' : `${plural(count, 'record', 'records')} restored.`,
  left: (count: number): string =>
    count === 1 ? '1 record stays removed:' : `${count} records stay removed:`,
  leftOne: (what: string, name: string, why: string): string => `${what} ${name}: ${why}`,
  leftMore: (count: number): string => `and ${count} more.`,
} as const;
