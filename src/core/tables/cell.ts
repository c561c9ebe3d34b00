/** The value of a cell of a workbook below the text that it shows. Only the field that takes it decides what counts. */
export type CellValue =
  | { readonly is: 'text' }
  /** Its text is the word of the error. */
  | { readonly is: 'error' }
  /** A formula whose value was never calculated, or not saved. */
  | { readonly is: 'unsaved' }
  | { readonly is: 'truth'; readonly truth: boolean }
  | CellNumber
  | CellMoment;

/** Few fields ask for more than the number: the rest is found when it is asked for. */
export interface CellNumber {
  readonly is: 'number';
  readonly number: number;
  /** The text that a person sees. */
  readonly shown: string;
  /** `digits`: the number, or what is shown of it, has lost some. `decimals`: some are not shown. */
  readonly lacks?: 'digits' | 'decimals' | undefined;
  /** Whether it is shown as an amount with decimals, or in a currency. */
  readonly isAmount: boolean;
}

/** A number that is shown as a day, a time of day, or both. */
export interface CellMoment {
  readonly is: 'moment';
  /** The text that a person sees. */
  readonly shown: string;
  /** `2027-03-20`; `undefined`: there is no such day, or it is a time of day alone. */
  readonly day: string | undefined;
  /** Whether it counts a day that there was not, such as the 29th of February 1900. */
  readonly isNoDay: boolean;
  /** `14:30:00` */
  readonly time: string;
  /** How far it is from UTC, if its format says so: `-05:00`. */
  readonly offset: string;
  readonly showsDay: boolean;
  readonly showsTime: boolean;
}

export const TEXT: CellValue = { is: 'text' };
export const ERROR: CellValue = { is: 'error' };
export const UNSAVED: CellValue = { is: 'unsaved' };
export const TRUE: CellValue = { is: 'truth', truth: true };
export const FALSE: CellValue = { is: 'truth', truth: false };

/** The text that a person sees in a cell with that text and value. */
export function shownIn(text: string, value: CellValue | undefined): string {
  return value?.is === 'number' || value?.is === 'moment' ? value.shown : text;
}
