/**
 * Tables that are the same on every store and belong to no account: read and written row by row as JSON. To add one,
 * add an entry here.
 */

import { apiKey } from '../../core/objects/api-key.ts';
import type { ColumnKind } from '../../core/objects/kinds.ts';
import { locationSettings } from '../../core/objects/location-settings.ts';
import { type OwnColumn, type OwnObject, ownColumns } from '../../core/objects/own-object.ts';
import { passkey } from '../../core/objects/passkey.ts';
import { erasure } from '../../core/objects/records/erasure.ts';
import { hold } from '../../core/objects/records/hold.ts';
import { retentionRule } from '../../core/objects/records/retention-rule.ts';
import { retentionRun } from '../../core/objects/records/retention-run.ts';
import { activity } from '../../core/objects/requests/activity.ts';
import { auditEntry } from '../../core/objects/requests/audit-entry.ts';
import { expectation } from '../../core/objects/requests/expectation.ts';
import { source } from '../../core/objects/source.ts';
import { staffMember } from '../../core/objects/staff-member.ts';
import { importRun } from '../../core/objects/transfer/import-run.ts';
import { sync } from '../../core/objects/transfer/sync.ts';
import { webhookDelivery } from '../../core/objects/webhook-delivery.ts';
import { webhookEndpoint } from '../../core/objects/webhook-endpoint.ts';

export type { ColumnKind } from '../../core/objects/kinds.ts';

export interface FixedTable {
  readonly table: string;
  readonly columns: Readonly<Record<string, ColumnKind>>;
  /** The key columns: rows are read in their order. */
  readonly key: readonly string[];
  /** The columns as their object declares them, where it does. */
  readonly declared?: readonly OwnColumn[];
  /** The SQL condition for rows that have changed since that time. */
  readonly since?: (time: string) => string;
}

export type FixedValue = string | number | boolean | null | readonly string[];

/** By the names of the columns, in the order of the table's declaration. */
export type FixedRow = Readonly<Record<string, FixedValue>>;

export const keysTable = tableOf(apiKey);

/** People who sign in. Their sessions are not stored: they sign in again. */
export const staffTable = tableOf(staffMember);

export const passkeysTable = tableOf(passkey);

export const identitiesTable: FixedTable = {
  table: 'staff_identity',
  columns: { issuer: 'text', subject: 'text', staff: 'text', inserted_at: 'number' },
  key: ['issuer', 'subject'],
};

/** Without their leases: no process delivers to them. */
export const webhooksTable = tableOf(webhookEndpoint);

export const deliveriesTable = tableOf(webhookDelivery);

export const locationSettingsTable = tableOf(locationSettings);

export const sourcesTable = tableOf(source);

export const syncsTable = tableOf(sync);

export const sourceWritersTable: FixedTable = {
  table: 'source_writer',
  columns: { of_account: 'text', writer: 'text', source: 'number' },
  key: ['of_account', 'writer'],
};
export const expectationsTable = tableOf(expectation);

export const erasuresTable = tableOf(erasure);

export const holdsTable = tableOf(hold);

export const retentionRulesTable = tableOf(retentionRule);

export const retentionRunsTable = tableOf(retentionRun);

/** What is left of erased records. */
export const erasedTable: FixedTable = {
  table: 'erased',
  columns: {
    ...{ account: 'text', record: 'text', resource: 'text', anchor: 'text', parent: 'text' },
    ...{ erasure: 'text', erased_at: 'number', key: 'text', probe: 'text', mark: 'text' },
    ...{ unforgotten: 'number', line: 'number', position: 'number' },
  },
  key: ['account', 'record'],
};

/** The lines that are in files outside of the store, too. */
export const erasureJournalTable: FixedTable = {
  table: 'erasure_journal',
  columns: { line: 'number', text: 'text', applied: 'flag' },
  key: ['line'],
};

export const erasureNotesTable: FixedTable = {
  table: 'erasure_note',
  columns: {
    ...{ of_account: 'text', erasure: 'text', kind: 'text', about: 'text', state: 'text' },
    ...{ reached: 'text', count: 'number', first_at: 'number', last_at: 'number' },
  },
  key: ['erasure', 'kind', 'about'],
};

/** Who saw or did what: whole chains, so that a restored store can be verified. */
export const auditTable = tableOf(auditEntry);

/** Hourly counts of requests, by key and person. */
export const activityTable = tableOf(activity);

export const importsTable = tableOf(importRun);

/** The table of an object that is declared: all of its columns. */
function tableOf(object: OwnObject): FixedTable {
  const { table, key, since } = object;
  const declared = ownColumns(object);
  return {
    table,
    columns: Object.fromEntries(declared.map(({ name, kind }) => [name, kind])),
    key,
    declared,
    ...(since === undefined ? {} : { since }),
  };
}
