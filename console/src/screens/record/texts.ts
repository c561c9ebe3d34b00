/** Texts about the history of a record. */
import { plural } from '../../texts.ts';

export const says = {
  removal: {
    title: (what: string): string => `Remove ${what}?`,
    alone: 'No other record is removed with it.',
    goesWith: 'This also removes:',
    entry: (count: number, more: boolean, one: string, many: string): string =>
      `${more ? `more than ${count}` : count} ${count === 1 && !more ? one : many}`,
    all: (count: number): string => `${plural(count, 'record', 'records')} in all.`,
    back: 'All of it can be restored: right afterwards with Undo, later under Removed, for as long as the operator keeps what was removed. If its system sends it again first, it comes in as a new record.',
    submit: 'Remove',
  },
  /** What follows the name of the person, key or import. */
  did: {
    created: 'created this record',
    updated: 'changed',
    deleted: 'removed this record',
    restored: 'restored this record',
  } as Readonly<Record<string, string>>,
  somebody: 'Somebody',
  fields: (count: number): string => plural(count, 'field', 'fields'),
  nothing: 'nothing that is shown',
  version: (version: number): string => `Version ${version}`,
  becomes: 'becomes',
  empty: 'empty',
  bringBack: 'Restore this version',
  confirm: (version: number): string => `Restore version ${version}?`,
  would: 'Now, and after the restore:',
  comesBack: 'The record comes back with:',
  same: 'It already holds what it held then.',
  confirmHint: 'This becomes a new version, so that you can undo it in the same way.',
  done: 'Restored.',
  unkept: 'The content of this version is not kept.',
  more: 'Older changes',
  none: 'No history of this record is kept.',
  pins: {
    title: 'Corrected by staff',
    about: 'What systems send for these fields does not replace them.',
    by: (who: string): string => `${who} corrected this`,
    /** What follows is the value. */
    now: (who: string): string => `${who} now says:`,
    source: 'The source',
    keep: 'Keep ours',
    accept: 'Use this',
    lift: 'Let the source decide',
    decided: 'Decided.',
    /** In the history, by what became of it; what stands in front is the field. */
    /** In the history, where nothing else was changed; the field follows. */
    did: {
      pinned: 'corrected',
      proposed: 'sent another value for',
      kept: 'kept the correction of',
      withdrawn: 'withdrew the other value for',
      ended: 'ended the correction of',
    } as Readonly<Record<string, string>>,
    became: {
      pinned: 'corrected by staff',
      proposed: 'a source sent another value',
      kept: 'staff kept theirs',
      withdrawn: 'the source withdrew its value',
      ended: 'the source decides again',
    } as Readonly<Record<string, string>>,
  },
  settings: {
    title: 'Time zone and region',
    change: 'Change',
    zone: 'Time zone',
    zoneHint: 'A name such as America/New_York.',
    region: 'Region',
    regionHint: 'Your own name for a group of locations.',
    state: 'State',
    inherited: 'from the account',
    unset: 'not set',
    empty: 'Leave a field empty to have it from the account.',
  },
  /** What each of the requests is for that a program sends. */
  curl: {
    read: 'read it',
    history: 'what happened to it',
    change: 'change one field',
    remove: 'see what a removal would take',
  },
} as const;
