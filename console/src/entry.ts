/** Where a screen is, and who sees it: as much as the menu, the shortcuts and the tests know of it. It imports nothing. */

/** As much of a session as decides which screens are there. */
export interface Seer {
  readonly allow: readonly string[];
  readonly permissions: readonly string[];
  readonly locations: readonly string[] | null;
  readonly may_administer: boolean;
}

/** The script that has a screen: `seldom.ts`, or one that only those load who open it. */
export type Script = 'seldom' | 'entering' | 'importing' | 'integrating' | 'officers';

export interface Entry {
  /** The first part of the path; `''` for the first screen. By this, `page.nav` has its name in the menu. */
  readonly path: string;
  /** A part of the menu, in which features follow the others. */
  readonly group: 'home' | 'records' | 'people' | 'more' | 'integration' | 'hidden';
  /** Whether it is seldom needed by this person, so that it is folded away with the others of `more`. */
  readonly isSeldom?: (session: Seer) => boolean;
  /** After `g`. */
  readonly letter?: string;
  /** A drawing, or the name of one; without it, the path is the name. */
  readonly icon?: string;
  /** The script that has it, unless the page begins with it: without one, that of rarely opened screens. */
  readonly script?: Script;
  /** The right without which it is not there. */
  readonly right?: string;
  /** Whether it is there for this person, where no right decides. */
  readonly isFor?: (session: Seer) => boolean;
}

/** A screen that a feature adds: `entry.ts` in its folder, beside `screen.tsx`. */
export interface FeatureEntry extends Entry {
  readonly script: Exclude<Script, 'entering'>;
  readonly icon: string;
  /** What it is asked with the record, when the menu of a record leads there. By the path, `page.record` has its name in that menu. */
  readonly ofRecord?: Readonly<Record<string, string>>;
  /** Only of records of which features say that. */
  readonly ofRecordsThat?: string;
  /** Whether keys are given the right in the console. */
  readonly ofKeys?: true;
}
