/** The tables, apart from those of records, that have rows of an account: they are emptied with it. */
import { erasure } from '../core/objects/records/erasure.ts';
import { hold } from '../core/objects/records/hold.ts';
import { retentionRule } from '../core/objects/records/retention-rule.ts';
import { retentionRun } from '../core/objects/records/retention-run.ts';
import { activity } from '../core/objects/requests/activity.ts';
import { expectation } from '../core/objects/requests/expectation.ts';
import { refusedRequest } from '../core/objects/requests/refused-request.ts';
import { selfTest } from '../core/objects/self-test.ts';
import { sync } from '../core/objects/transfer/sync.ts';

export const NAMED = 'of_account = $1';
export const OWN = 'account = $1';

export interface TableOfAccount {
  readonly table: string;
  readonly key: readonly string[];
  /** The columns of an index of an account's rows, if not those of the key. */
  readonly order?: readonly string[];
  /** The condition for rows of account $1, or for those of what they belong to. */
  readonly where: string;
  /** The column that names what they belong to, and the table of that. */
  readonly below?: readonly [column: string, table: string];
}

type Declared = Pick<TableOfAccount, 'table' | 'key'> & {
  readonly fields: { readonly account: { readonly column?: string } };
};

function rowsOf({ table, key, fields }: Declared, order = key): TableOfAccount {
  return { table, key, order, where: `${fields.account.column ?? 'account'} = $1` };
}

/** Emptied whatever becomes of the account. */
export const EMPTIED: readonly TableOfAccount[] = [
  {
    ...{ table: 'location_settings', key: ['unique_identifier'] },
    where: `${NAMED} AND unique_identifier <> $1`,
  },
  rowsOf(expectation),
  { table: 'sync_seen', key: ['account', 'sync', 'batch'], where: OWN },
  rowsOf(sync),
];

/** Emptied where the account itself goes. Parents are after children. */
export const GONE_WITH: readonly TableOfAccount[] = [
  rowsOf(refusedRequest, ['time', 'request_id']),
  rowsOf(activity, ['hour']),
  {
    ...{ table: 'webhook_delivery', key: ['endpoint', 'change'] },
    ...{ below: ['endpoint', 'webhook_endpoint'], where: NAMED },
  },
  {
    ...{ table: 'self_test_sighting', key: ['unique_identifier'] },
    ...{ below: ['self_test', 'self_test'], where: OWN },
  },
  rowsOf(selfTest),
  { table: 'erased', key: ['account', 'record'], where: OWN },
  rowsOf(hold),
  rowsOf(retentionRule),
  rowsOf(retentionRun),
  rowsOf(erasure),
  { table: 'erasure_note', key: ['erasure', 'kind', 'about'], where: NAMED },
  { table: 'follower', key: ['of_account', 'key'], where: NAMED },
];
