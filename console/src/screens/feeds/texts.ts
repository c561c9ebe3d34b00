/** Texts about systems, refused requests and backups. */
import { plural } from '../../texts.ts';

export const says = {
  about: 'What each system has sent in the last 24 hours, by location.',
  none: 'No system has sent anything this week',
  noneHint: 'As soon as records arrive with a key, its feed appears here.',
  key: 'Key',
  noLocation: 'No location',
  unplaced: 'Not known: refused before it was read',
  region: 'Region',
  allRegions: 'All regions',
  last: 'Last record',
  hours: '24 hours',
  records: (count: number): string => `${plural(count, 'record', 'records')} in 24 hours`,
  created: 'Created',
  updated: 'Updated',
  unchanged: 'Unchanged',
  refused: 'Refused',
  refusals: 'Refused in the last 24 hours',
  more: 'Only the newest 1,000 requests are counted.',
  code: 'Error',
  field: 'Field',
  count: 'Times',
  first: 'First',
  lastly: 'Last',
  backup: (ago: string): string => `The last checked backup is from ${ago}.`,
  backupOld: 'Ask the operator why there is no newer one.',
  noBackup: 'No backup has been checked yet. Ask the operator whether there is one.',
  aboutBackups: 'About backups',
  expected: {
    title: 'What is expected',
    about: 'Learned from six weeks, by the clock of each location.',
    source: 'System',
    state: 'State',
    states: {
      new: 'Nothing yet',
      on_time: 'On time',
      late: 'Late',
      silent: 'Silent',
      back: 'Back',
      failing: 'All refused',
    } as Readonly<Record<string, string>>,
    hours: 'Expected',
    every: (hours: string, every: string): string =>
      `${hours}, ${every === 'hour' ? 'at least hourly' : 'once a day'}`,
    why: 'Why',
    learned: (kept: number, days: number): string => `Came on ${kept} of ${days} of these days`,
    statuses: { confirmed: 'Set by a person', off: 'Turned off' } as Readonly<
      Record<string, string>
    >,
    decide: 'Decide',
    confirm: 'Confirm',
    off: 'Turn off',
    change: 'Change',
    often: 'How often',
    everies: { hour: 'In each of these hours', day: 'Once on each of these days' },
    silentAfter: 'Silent after',
    silentHint: 'The number of these hours or days without a record.',
    closed: 'Closed days',
    closedHint: 'Such as 12-25 for each year, or 2026-11-27 for one.',
    closedThen: 'Nothing',
    hourOf: (day: string, which: 'from' | 'until'): string =>
      `${day}, ${which === 'from' ? 'from' : 'until'}`,
    wrongHours: 'Each day must begin before it ends.',
  },
  selfTests: {
    title: 'Self-tests of partners’ programs',
    about: 'About self-tests',
    passed: (passed: number, all: number): string => `${passed} of ${all} checks passed`,
    statuses: { open: 'Open', passed: 'Passed', ended: 'Ended' } as Readonly<
      Record<string, string>
    >,
    checks: { passed: 'Passed', failed: 'Failed', missing: 'Not seen yet' } as Readonly<
      Record<string, string>
    >,
  },
} as const;
