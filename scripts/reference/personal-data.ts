/**
 * Where the service writes what it knows of people: every table and column, each with what it holds and when that
 * goes; files are in `personal-files.ts`. `test/personal-data.test.ts` fails on any that is not here.
 */
import type { Resource } from '../../src/core/schema/define.ts';

/**
 * `content`: what was said of a person, or may be: names, phones, addresses, free text, callers' own identifiers.
 * `identifiers`: what leads to a person only with the rest of the store: our identifiers, network addresses, hashes.
 */
export type Holds = 'content' | 'identifiers' | 'nothing';

/** The names of columns, with spaces between. */
type Columns = { readonly [held in Holds]?: string };

export interface Table extends Columns {
  /** What it is for. */
  readonly says: string;
  /** When what it holds of people goes; left out where it holds nothing of them. */
  readonly goes?: string;
}

const STAFF_GOES = 'When the person is removed (`staff remove`)';
const ACCOUNT_GOES = 'When the account is removed (`accounts remove`)';
export const SEARCH_GOES = 'Seconds after the record changes or is removed';
const CLAIMS = { says: 'A lease of a process', nothing: 'single holder until' };

/** By name, the same on both stores. A column may be in one of them alone. */
export const TABLES: Readonly<Record<string, Table>> = {
  account: {
    says: 'Funeral groups',
    goes: ACCOUNT_GOES,
    identifiers: 'number account unique_identifier parent anchor external_identifier',
    nothing:
      'document version position inserted_at updated_at livemode closed_at becomes created_by changed_by key_name',
  },
  api_key: {
    says: 'API keys, without their secrets',
    goes: 'When the last account of the key is removed. Its name stays until then: name keys after systems, not people',
    content: 'name',
    identifiers: 'unique_identifier hash ending accounts anchors from',
    nothing:
      'livemode region permissions resources allow requests_a_second requests_at_once inserted_at expires_at suspended_at revoked_at last_used_at',
  },
  receipt: {
    says: 'What requests with an `Idempotency-Key` did, of which only a keyed hash is stored',
    goes: 'After 24 hours',
    identifiers: 'idempotency_key number owner account fingerprint record unique_identifier drafts',
    nothing: 'expires_at size outcome resource version below',
  },
  answered: {
    says: 'Records as they were answered to such a request',
    goes: 'With the record, or after 24 hours',
    content: 'external_identifier document',
    identifiers: 'account record anchor parent',
    nothing: 'version inserted_at updated_at expires_at',
  },
  receipt_room: {
    says: 'Bytes that the receipts of a key take',
    goes: 'With the last receipt of the key',
    identifiers: 'owner',
    nothing: 'bytes',
  },
  change: {
    says: 'The log of changes: what was done to each record, and what it held before',
    goes: 'After `HISTORY_DAYS`, and not while the account has a [hold](holds.md)',
    content: 'contents content',
    identifiers: 'account changes record anchor by',
    nothing: 'position place count token occurred_at sum resource outcome version before',
  },
  gone: {
    says: 'Removed records that can be restored',
    goes: 'After `HISTORY_DAYS`, and not while the account has a [hold](holds.md)',
    content: 'external_identifier',
    identifiers: 'account record number parent',
    nothing: 'created_by position resource inserted_at removal below',
  },
  commit: {
    says: 'The number of each commit',
    identifiers: 'account',
    nothing: 'position token committed_at',
  },
  counter: { says: 'The number of the last commit', identifiers: 'account', nothing: 'value' },
  refused_request: {
    says: 'Refused requests, without a value that was sent',
    goes: 'After 30 days',
    identifiers: 'request_id key of_account address path codes faults rows',
    nothing: 'time nth authentication method status code',
  },
  request_activity: {
    says: 'Counts of requests, by the hour',
    goes: ACCOUNT_GOES,
    identifiers: 'of_account key anchor',
    nothing: 'hour resource outcome count last_at',
  },
  audit_entry: {
    says: 'Who saw or did what, without anything of what was seen. It stays when an account or a person is removed: its chains end otherwise',
    goes: 'After `AUDIT_DAYS`',
    identifiers: 'unique_identifier of_account key record address request_id',
    nothing: 'chain number time action resource what count written_at mac sum',
  },
  webhook_endpoint: {
    says: 'Webhook endpoints',
    goes: 'When the endpoint is removed',
    content: 'settings',
    identifiers: 'unique_identifier of_account key lease',
    nothing: 'secrets status reason failing_since position lease_until inserted_at updated_at',
  },
  webhook_delivery: {
    says: 'What became of each notification',
    goes: 'After 30 days',
    identifiers: 'endpoint change unique_identifier record',
    nothing:
      'position place type status attempts status_code error duration_ms next_at inserted_at updated_at',
  },
  staff: {
    says: 'People who sign in',
    goes: STAFF_GOES,
    content: 'email name',
    identifiers: 'unique_identifier accounts anchors password invitation_hash invited_by',
    nothing: 'region role allow invitation_expires_at inserted_at disabled_at signed_in_at',
  },
  staff_passkey: {
    says: 'Their passkeys',
    goes: STAFF_GOES,
    content: 'name',
    identifiers: 'unique_identifier staff credential public_key',
    nothing: 'counter transports inserted_at used_at',
  },
  staff_identity: {
    says: 'Who they are at a provider of single sign-on',
    goes: STAFF_GOES,
    identifiers: 'issuer subject staff',
    nothing: 'inserted_at',
  },
  staff_session: {
    says: 'Their sessions',
    goes: 'Within twelve hours',
    identifiers: 'hash unique_identifier staff address browser',
    nothing: 'method proved_at inserted_at seen_at',
  },
  staff_ceremony: {
    says: 'Sign-ins that are under way',
    goes: 'Within minutes',
    content: 'content',
    identifiers: 'hash',
    nothing: 'purpose expires_at',
  },
  self_test: {
    says: "Self-tests of partners' programs, in test accounts",
    goes: 'After 30 days',
    identifiers: 'unique_identifier account key',
    nothing: 'inserted_at expires_at',
  },
  self_test_sighting: {
    says: 'What was seen in one',
    goes: 'After 30 days',
    identifiers: 'unique_identifier self_test data',
    nothing: 'kind at',
  },
  location_settings: {
    says: 'Time zones and regions of locations',
    identifiers: 'unique_identifier of_account',
    nothing: 'time_zone region state',
  },
  source: {
    says: 'Who sends records, by names that operators give',
    goes: ACCOUNT_GOES,
    content: 'name',
    identifiers: 'unique_identifier of_account',
    nothing: 'number merged_into inserted_at',
  },
  source_writer: {
    says: 'The keys that they send with',
    goes: ACCOUNT_GOES,
    identifiers: 'of_account writer',
    nothing: 'source',
  },
  import_run: {
    says: 'Imports from files',
    goes: 'Rejected rows after seven days, or when the account is wiped; the names of files when the account is removed',
    content: 'files rejected',
    identifiers: 'unique_identifier fingerprint accounts began position',
    nothing: 'status chunk counts inserted_at updated_at',
  },
  erasure: {
    says: 'Requests of people to be forgotten',
    goes: '24 months after it ended, since it proves what was done, or when the account is removed; what the person sent is encrypted, and goes when it ends; what the records held is encrypted, and goes when it ends, too',
    content: 'reference basis selectors traces',
    identifiers:
      'unique_identifier of_account matches chosen past_only left_over look_place named_in by',
    nothing:
      'status looked refused_rows places image_hosts received_at due_at revision inserted_at updated_at sum',
  },
  hold: {
    says: 'Holds, which keep records from being removed and erased',
    goes: 'Two years after it is released, or when the account is removed',
    content: 'matter reason released_because',
    identifiers: 'unique_identifier account record above by released_by',
    nothing: 'resource until released_at inserted_at',
  },
  retention_rule: {
    says: 'Rules by which records go when they are old enough',
    goes: 'When the rule or the account is removed',
    content: 'basis unless spares',
    identifiers: 'unique_identifier account location preview made_by enabled_by',
    nothing: `resource after_days since at_least_days status stopped_because enabled_at
      counting_since revision inserted_at updated_at`,
  },
  retention_run: {
    says: 'What their runs removed and left: counts, and what is removed next',
    goes: 'After two years, or when the rule or the account is removed',
    identifiers: 'unique_identifier account rule progress',
    nothing:
      'status stopped_because expected goes removed held spared soon began_at ended_at enabled_at',
  },
  retention_worker: CLAIMS,
  erased: {
    says: 'Erased records: keyed hashes, by which they are refused when they are sent again',
    goes: 'When the account is removed, or it may be sent again',
    identifiers: 'account record resource anchor parent erasure probe mark',
    nothing: 'erased_at key unforgotten line position number',
  },
  erasure_note: {
    says: 'Which systems have received an erasure, which still send its records, and keyed hashes of phone numbers and email addresses, by which an erased person is recognised',
    goes: 'The hashes after 24 months, the rest after 27, or when the account is removed',
    identifiers: 'of_account erasure about reached',
    nothing: 'kind state count first_at last_at',
  },
  follower: {
    says: 'API keys that follow the changes, and how far each has read',
    goes: 'After 30 days without a read',
    identifiers: 'of_account key reached',
    nothing: 'at',
  },
  erasure_journal: {
    says: 'The journal of erasures, by which erased records stay erased after a restore',
    goes: 'Never: it has to outlive every backup. It holds identifiers and keyed hashes, as `erased` does',
    identifiers: 'text',
    nothing: 'line applied',
  },
  sync: {
    says: 'Syncs of sources: what they removed, and what they left',
    goes: 'After 90 days, or when the account is wiped or removed',
    identifiers:
      'account unique_identifier location records left began progress key finished_by undone_by',
    nothing:
      'resource source at_most status seen marked removed left_count restored step inserted_at expires_at finished_at',
  },
  sync_seen: {
    says: 'Marks of what an open sync has seen: 64 bits of each identifier',
    goes: 'When the sync ends, after 48 hours at the latest',
    identifiers: 'account sync batch marks',
  },
  expectation: {
    says: 'What is expected of sources at locations, and whether it comes',
    identifiers: 'unique_identifier of_account source anchor',
    nothing:
      'hours every silent_after closed_days status learned_days kept_days state since silent_since last_at refused_at refusal inserted_at updated_at',
  },
  expectation_watch: {
    says: 'The last look at what is expected',
    nothing: 'single looked_at learned_at outages',
  },
  search_mark: {
    says: 'How far the search index goes (PostgreSQL)',
    identifiers: 'account',
    nothing: 'position place token building terms',
  },
  search_record: {
    says: 'The search index (PostgreSQL)',
    goes: SEARCH_GOES,
    content: 'terms',
    identifiers: 'account record',
  },
  search_term: {
    says: 'The search index (PostgreSQL)',
    goes: SEARCH_GOES,
    content: 'term',
    identifiers: 'account record anchor',
  },
  search_feeder: CLAIMS,
  write_check: {
    says: 'Proof that the store can be written',
    nothing: 'single checked_at content',
  },
  seen_time: {
    says: 'The latest time that the service believed',
    nothing: 'single at rewritten_at',
  },
  checked_backup: { says: 'The last checked backup', nothing: 'single taken_at checked_at' },
  followed_backup: {
    says: 'Folders that follow the store',
    nothing: 'name holder until folder host since shows_at whole_at left_out',
  },
  ledgerstone_migration: { says: 'Migrations that were done', nothing: 'version name applied_at' },
};

/** The tables of the file of the search index, beside a SQLite store. */
export const SEARCH_TABLES: Readonly<Record<string, Table>> = {
  mark: {
    says: 'How far it goes',
    identifiers: 'account',
    nothing: 'position place token building terms',
  },
  home: { says: 'Accounts and locations, by number', identifiers: 'number identifier' },
  record: {
    says: 'Records that can be found',
    goes: SEARCH_GOES,
    content: 'terms',
    identifiers: 'number account identifier',
  },
  term: {
    says: 'What they are found by',
    goes: SEARCH_GOES,
    content: 'term',
    identifiers: 'account record anchor',
  },
};

/** The table of a resource's records. */
export function recordsTable({ name, display, fields, public_data, shape }: Resource): Table {
  const all = { ...fields, ...public_data };
  const isPersonal = (path: readonly string[]): boolean =>
    path.some((step) => all[step]?.personal === true);
  const keys = (held: boolean): string =>
    shape.keys
      .filter(({ path, lacking }) => (lacking === undefined && isPersonal(path)) === held)
      .map((key) => `key_${key.name}`)
      .join(' ');
  return {
    says: `Records: ${display.plural.toLowerCase()} (\`${name}\`)`,
    goes: 'When the record is removed (`DELETE`); the log and backups keep it longer',
    content: `external_identifier document ${keys(true)}`,
    identifiers: 'number account unique_identifier parent anchor',
    nothing: `version position inserted_at updated_at created_by changed_by changed_minute updated_hour sum ${keys(false)}`,
  };
}
