/** What a person can do about what a file does not say of itself. They are parts of sentences. */

export interface Remedies {
  readonly dates: string;
  readonly zone: string;
  readonly sheet: string;
  readonly delimiter: string;
  /** About a field that every row needs. */
  readonly field: (name: string) => string;
  /** What gives a field the same value in every row. */
  readonly same: string;
}

/** For the command line. */
export const OPTIONS: Remedies = {
  dates: 'choose with --dates mdy or --dates dmy',
  zone: 'say --time-zone, such as America/New_York',
  sheet: 'choose one with --sheet',
  delimiter: 'Name it with --delimiter ",", ";", "|" or tab',
  field: (name) => `map one, or use --set ${name}=…`,
  same: '--set',
};

/** For the screen. */
export const FIELDS: Remedies = {
  dates: 'choose which is meant, at "Dates such as 03/04/2026"',
  zone: 'name their time zone, at "Times without an offset are in"',
  sheet: 'choose one of',
  delimiter: 'Choose it',
  field: () => 'choose a column for it',
  same: 'the choice for all rows',
};
