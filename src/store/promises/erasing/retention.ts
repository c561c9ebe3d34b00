/** The store's contract for retention rules, and for the reports of their runs. */
import type { StoredRetentionRule } from '../../../core/objects/records/retention-rule.ts';
import type { StoredRetentionRun } from '../../../core/objects/records/retention-run.ts';

export type { StoredRetentionRule } from '../../../core/objects/records/retention-rule.ts';
export type { StoredRetentionRun } from '../../../core/objects/records/retention-run.ts';

/** A rule as far as commits ask for it. */
export type AskedRule = Pick<
  StoredRetentionRule,
  | 'unique_identifier'
  | 'location'
  | 'resource'
  | 'after_days'
  | 'since'
  | 'spares'
  | 'at_least_days'
  | 'status'
>;

export interface RetentionBook {
  add(rule: StoredRetentionRule): Promise<void>;
  /** `false`, with nothing done, if it was changed since it was read. */
  replace(rule: StoredRetentionRule): Promise<boolean>;
  find(unique_identifier: string): Promise<StoredRetentionRule | undefined>;
  /** The newest first, before that one. */
  list(
    accounts: readonly string[],
    before: string,
    limit: number,
  ): Promise<readonly StoredRetentionRule[]>;
  /** How many an account has. */
  count(account: string): Promise<number>;
  /** How many there are, by status. */
  statuses(): Promise<ReadonlyMap<string, number>>;
  /** Removes a rule and the reports of its runs. */
  remove(unique_identifier: string): Promise<void>;
  /** The first whose preview is being counted, of the first account after that one that has one. */
  counting(after: string): Promise<StoredRetentionRule | undefined>;
  /** The same of those that are enabled and have not run to their end on the day between those times. */
  due(from: number, until: number, after: string): Promise<StoredRetentionRule | undefined>;
  /** Those of an account that are enabled, or keep records for some time. */
  asked(account: string): Promise<readonly AskedRule[]>;
  /** Those by which new records of an account are refused, as they were within the last five seconds. */
  refusing(account: string): readonly AskedRule[] | Promise<readonly AskedRule[]>;
  /** Adds a run, or changes it. One that stopped by itself stops its rule in the same commit. */
  putRun(run: StoredRetentionRun): Promise<void>;
  /** One that goes on although its rule was paused, changed or removed since. */
  abandoned(): Promise<StoredRetentionRun | undefined>;
  /** Those of a rule, the newest first, before that one. */
  runs(rule: string, before: string, limit: number): Promise<readonly StoredRetentionRun[]>;
  /** Removes some runs that ended two years before that; returns whether there may be more. */
  purge(now: number): Promise<boolean>;
  /** Takes or renews the lease by which one process does the work of all rules; `false` if another one has it. */
  lease(holder: string, now: number): Promise<boolean>;
}
