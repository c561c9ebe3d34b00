/** Remedies for information that a file lacks, as parts of sentences. */
import type { Resource } from '../../core/schema/define.ts';
import { cellFaults, type FaultFormatter, faultSentences } from './fault-words.ts';
import { labelOf } from './table/headings.ts';

export interface Remedies {
  readonly dates: string;
  readonly zone: string;
  readonly sheet: string;
  readonly delimiter: string;
  /** About a field that every row needs. */
  readonly field: (name: string) => string;
  /** The way to give a field the same value in every row. */
  readonly same: string;
  /** About two columns for one field. */
  readonly leaveOut: string;
  /** The way to give all rows the same parent, which that parameter names. */
  readonly parent: (param: string) => string;
  /** The name of a field. */
  readonly name: (resource: Resource, name: string) => string;
  readonly faults: FaultFormatter;
}

/** For the command line. */
export const OPTIONS: Remedies = {
  dates: 'choose with --dates mdy or --dates dmy',
  zone: 'say --time-zone, such as America/New_York',
  sheet: 'choose one with --sheet',
  delimiter: 'Name it with --delimiter ",", ";", "|" or tab',
  field: (name) => `map one, or use --set ${name}=…`,
  same: '--set',
  leaveOut: 'leave one out, with null in the mapping',
  parent: (param) => `map one, or use --set ${param}=…`,
  name: (_resource, name) => name,
  faults: faultSentences,
};

/** For the screen. */
export const FIELDS: Remedies = {
  dates: 'choose which is meant, at "Dates such as 03/04/2026"',
  zone: 'name their time zone, at "Time zone of the times"',
  sheet: 'choose one of',
  delimiter: 'Choose it',
  field: () => 'choose a column for it, or give it a value for all rows',
  same: 'the choice for all rows',
  leaveOut: 'leave one of them out',
  parent: () => 'choose a column for it, or choose one at "All rows belong to"',
  name: (resource, name) => JSON.stringify(labelOf(resource, name)),
  faults: cellFaults,
};
