/**
 * Tables that are alike on every store and belong to no account: read and written
 * row by row as JSON, whatever they hold. One more is one more entry here.
 */

/** How a column is told in JSON: bytes as hexadecimal digits, flags as booleans, lists of texts as arrays. */
export type ColumnKind = 'text' | 'number' | 'bytes' | 'flag' | 'texts';

export interface FixedTable {
  readonly table: string;
  readonly columns: Readonly<Record<string, ColumnKind>>;
  /** The columns that tell rows apart: rows are read in their order. */
  readonly key: readonly string[];
  /** What holds of rows that have changed since that time, as SQL. */
  readonly since?: (time: string) => string;
}

export type FixedValue = string | number | boolean | null | readonly string[];

/** By the names of the columns, in the order of the table's declaration. */
export type FixedRow = Readonly<Record<string, FixedValue>>;

export const keysTable: FixedTable = {
  table: 'api_key',
  columns: {
    unique_identifier: 'text',
    hash: 'bytes',
    ending: 'text',
    name: 'text',
    livemode: 'flag',
    accounts: 'texts',
    anchors: 'texts',
    permissions: 'texts',
    resources: 'texts',
    allow: 'texts',
    from: 'texts',
    rate: 'number',
    concurrent: 'number',
    inserted_at: 'number',
    expires_at: 'number',
    suspended_at: 'number',
    revoked_at: 'number',
    last_used_at: 'number',
  },
  key: ['unique_identifier'],
};

/** People who sign in. Their sessions are not kept: they sign in again. */
export const staffTable: FixedTable = {
  table: 'staff',
  columns: {
    unique_identifier: 'text',
    email: 'text',
    name: 'text',
    role: 'text',
    accounts: 'text',
    anchors: 'text',
    password: 'text',
    invitation_hash: 'text',
    invitation_expires_at: 'number',
    invited_by: 'text',
    inserted_at: 'number',
    disabled_at: 'number',
    signed_in_at: 'number',
  },
  key: ['unique_identifier'],
};

export const passkeysTable: FixedTable = {
  table: 'staff_passkey',
  columns: {
    unique_identifier: 'text',
    staff: 'text',
    credential: 'text',
    public_key: 'text',
    counter: 'number',
    transports: 'text',
    name: 'text',
    inserted_at: 'number',
    used_at: 'number',
  },
  key: ['unique_identifier'],
};

export const identitiesTable: FixedTable = {
  table: 'staff_identity',
  columns: { issuer: 'text', subject: 'text', staff: 'text', inserted_at: 'number' },
  key: ['issuer', 'subject'],
};

/** Without their leases: nobody delivers to them. */
export const webhooksTable: FixedTable = {
  table: 'webhook_endpoint',
  columns: {
    unique_identifier: 'text',
    of_account: 'text',
    key: 'text',
    settings: 'text',
    secrets: 'text',
    status: 'text',
    reason: 'text',
    failing_since: 'number',
    position: 'text',
    inserted_at: 'number',
    updated_at: 'number',
  },
  key: ['unique_identifier'],
};

export const deliveriesTable: FixedTable = {
  table: 'webhook_delivery',
  columns: {
    endpoint: 'text',
    change: 'text',
    unique_identifier: 'text',
    position: 'number',
    place: 'number',
    type: 'text',
    record: 'text',
    status: 'text',
    attempts: 'number',
    status_code: 'number',
    error: 'text',
    duration_ms: 'number',
    next_at: 'number',
    inserted_at: 'number',
    updated_at: 'number',
  },
  key: ['endpoint', 'change'],
  since: (time) => `updated_at > ${time}`,
};

/** What each key and person did, by the hour. */
export const activityTable: FixedTable = {
  table: 'request_activity',
  columns: {
    of_account: 'text',
    hour: 'number',
    key: 'text',
    anchor: 'text',
    resource: 'text',
    outcome: 'text',
    count: 'number',
    last_at: 'number',
  },
  key: ['of_account', 'hour', 'key', 'anchor', 'resource', 'outcome'],
  // There is an index of the hours.
  since: (time) => `hour > CAST(${time} AS bigint) - 3600000 AND last_at > ${time}`,
};

export const importsTable: FixedTable = {
  table: 'import_run',
  columns: {
    unique_identifier: 'text',
    fingerprint: 'text',
    state: 'text',
    inserted_at: 'number',
    updated_at: 'number',
  },
  key: ['unique_identifier'],
};
