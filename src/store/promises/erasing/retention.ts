/** The store's contract for retention rules, and for the reports of their runs. */
import type { StoredRetentionRule } from '../../../core/objects/records/retention-rule.ts';

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
