// Generated from src/core/errors/catalogue.ts by "npm run generate"; do not edit.

import { LedgerstoneError } from '../error.ts';

/** The kind of error. Stable; more may come */
export type ErrorType = 'invalid_request_error' | 'authentication_error' | 'permission_error' | 'idempotency_error' | 'rate_limit_error' | 'api_error' | (string & {});

/** The error code; of several, the first. Stable; more may come: treat unknown codes by the HTTP status */
export type ErrorCode = 'parameter_missing' | 'parameter_unknown' | 'parameter_repeated' | 'parameters_conflict' | 'date_too_early' | 'type_invalid' | 'text_invalid' | 'text_too_long' | 'value_too_large' | 'parts_too_many' | 'phone_number_invalid' | 'datetime_invalid' | 'datetime_offset_missing' | 'date_invalid' | 'date_not_real' | 'date_in_future' | 'value_invalid' | 'choice_invalid' | 'number_not_whole' | 'time_zone_unknown' | 'number_out_of_range' | 'array_length_invalid' | 'image_url_invalid' | 'image_unavailable' | 'nesting_too_deep' | 'json_invalid' | 'form_invalid' | 'csv_invalid' | 'encoding_invalid' | 'header_invalid' | 'body_unexpected' | 'request_malformed' | 'api_key_missing' | 'api_key_unknown' | 'api_key_expired' | 'api_key_suspended' | 'api_key_revoked' | 'api_key_address' | 'authentication_failed' | 'permission_denied' | 'whole_account_needed' | 'location_not_permitted' | 'path_unknown' | 'resource_missing' | 'version_missing' | 'removal_missing' | 'position_unknown' | 'changes_expired' | 'changes_rewound' | 'change_damaged' | 'method_not_allowed' | 'record_exists' | 'record_present' | 'record_has_children' | 'children_too_many' | 'record_changed' | 'pin_missing' | 'pins_too_many' | 'proposal_decided' | 'row_repeated' | 'sync_ended' | 'sync_mismatch' | 'sync_in_doubt' | 'sync_removes_too_much' | 'idempotency_key_reused' | 'idempotency_keys_exhausted' | 'batch_refused' | 'body_too_large' | 'rows_too_many' | 'stream_refused' | 'media_type_unsupported' | 'headers_too_large' | 'request_timeout' | 'rate_limited' | 'concurrency_limited' | 'connections_too_many' | 'images_waiting' | 'audit_limited' | 'memory_limited' | 'record_erased' | 'past_retention' | 'matches_too_many' | 'erasure_closed' | 'erasure_running' | 'erasures_too_many' | 'erasures_exhausted' | 'erasure_keyless' | 'store_set_back' | 'record_held' | 'follow_up_claimed' | 'follow_up_closed' | 'follow_up_open' | 'attempts_too_many' | 'do_not_contact' | 'holds_too_many' | 'upload_gone' | 'files_no_room' | 'uploads_full' | 'preview_missing' | 'retention_rules_too_many' | 'webhook_url_refused' | 'webhooks_unavailable' | 'webhook_endpoints_too_many' | 'import_refused' | 'file_empty' | 'header_missing' | 'sheets_missing' | 'sheet_unknown' | 'workbook_unreadable' | 'file_compressed' | 'file_document' | 'file_json' | 'file_locked' | 'file_old_workbook' | 'file_other_workbook' | 'file_page' | 'file_xml' | 'column_missing' | 'parent_column_missing' | 'column_given_twice' | 'columns_rival' | 'columns_filled_too_many' | 'date_order_unclear' | 'date_orders_mixed' | 'times_without_zone' | 'import_too_old' | 'cells_wrong' | 'row_too_large' | 'column_unnamed' | 'characters_damaged' | 'quote_unclosed' | 'quote_ended_early' | 'quote_alone' | 'return_alone' | 'row_unplaced' | 'place_unknown' | 'place_ambiguous' | 'identifier_ambiguous' | 'identifier_unknown' | 'cell_empty' | 'phone_unreadable' | 'date_unreadable' | 'moment_unreadable' | 'moment_zone_unknown' | 'formula_error' | 'formula_unsaved' | 'made_a_date' | 'json_unreadable' | 'amount_not_cents' | 'weekday_wrong' | 'no_such_day' | 'digits_lost' | 'number_unreadable' | 'cell_too_long' | 'cell_character' | 'yes_or_no' | 'amount_unreadable' | 'date_as_number' | 'time_unexpected' | 'time_missing' | 'time_unreadable' | 'zone_missing' | 'time_ambiguous' | 'year_missing' | 'year_short' | 'date_order_missing' | 'files_waiting' | 'service_unavailable' | 'outcome_unknown' | 'answer_dropped' | 'store_refused' | 'internal_error' | (string & {});

/** What the message says of this request, by name: limits, what arrived instead. Which values a code has is in its description. Absent if there are none */
export type FaultValues = { [name: string]: string | number | string[] };

/** One thing that is wrong. */
export type Fault = {
  /** Dotted path of the field; absent if the fault is not in one field */
  param?: string;
  code: ErrorCode;
  /** A message for people: what was wrong and what to send instead */
  message: string;
  values?: FaultValues;
};

/** Why nothing was done: an error like that of a request, without the members that all rows of a request share */
export type RowError = {
  type: ErrorType;
  code: ErrorCode;
  /** A message for people: what was wrong and what to send instead */
  message: string;
  /** Dotted path of the field; absent if the fault is not in one field */
  param?: string;
  values?: FaultValues;
  /** All faults, at most 100 */
  errors: Fault[];
};

/** What was done with a row. `erased`: nothing, since its record was erased or is past its retention; remove it from your system, too */
export type Outcome = 'created' | 'updated' | 'unchanged' | 'erased';

/** The values that a fault has, by its code; other codes have none. */
export interface ErrorValues {
  date_too_early: { readonly date: string; readonly after: string; readonly earliest: string };
  text_too_long: { readonly has: number; readonly unit: string; readonly most: number };
  value_too_large: { readonly has: number; readonly most: number };
  choice_invalid: { readonly choices: readonly string[] };
  number_out_of_range: { readonly least: number; readonly most: number };
  array_length_invalid: { readonly has: number; readonly least: number; readonly most: number };
  whole_account_needed: { readonly limit: string };
  batch_refused: { readonly refused: number; readonly rows: number };
  rate_limited: { readonly most: number; readonly per: string; readonly seconds: number };
  concurrency_limited: { readonly most: number };
  connections_too_many: { readonly has: number };
  images_waiting: { readonly most: number };
  upload_gone: { readonly upload: string };
  file_empty: { readonly file: string };
  header_missing: { readonly file: string };
  sheets_missing: { readonly file: string };
  sheet_unknown: { readonly file: string; readonly sheet: string; readonly sheets: string };
  workbook_unreadable: { readonly file: string };
  file_compressed: { readonly file: string };
  file_document: { readonly file: string };
  file_json: { readonly file: string };
  file_locked: { readonly file: string };
  file_old_workbook: { readonly file: string };
  file_other_workbook: { readonly file: string };
  file_page: { readonly file: string };
  file_xml: { readonly file: string };
  column_missing: { readonly file: string; readonly fields: string };
  parent_column_missing: { readonly file: string };
  column_given_twice: { readonly file: string; readonly field: string };
  columns_rival: { readonly first: string; readonly second: string; readonly field: string };
  columns_filled_too_many: { readonly field: string; readonly has: number; readonly most: number };
  date_order_unclear: { readonly file: string; readonly row: number };
  date_orders_mixed: { readonly file: string; readonly month_first: number; readonly day_first: number };
  times_without_zone: { readonly file: string; readonly row: number };
  cells_wrong: { readonly has: number; readonly header: number };
  row_too_large: { readonly most: number };
  column_unnamed: { readonly column: string };
  formula_error: { readonly error: string };
  cell_too_long: { readonly has: number; readonly unit: string; readonly most: number };
  time_ambiguous: { readonly zone: string; readonly example: string };
  files_waiting: { readonly most: number };
}

/** An error of the type `invalid_request_error`. */
export class InvalidRequestError extends LedgerstoneError {
  override readonly name: string = 'InvalidRequestError';
  declare readonly type: 'invalid_request_error';
  declare readonly code: 'parameter_missing' | 'parameter_unknown' | 'parameter_repeated' | 'parameters_conflict' | 'date_too_early' | 'type_invalid' | 'text_invalid' | 'text_too_long' | 'value_too_large' | 'parts_too_many' | 'phone_number_invalid' | 'datetime_invalid' | 'datetime_offset_missing' | 'date_invalid' | 'date_not_real' | 'date_in_future' | 'value_invalid' | 'choice_invalid' | 'number_not_whole' | 'time_zone_unknown' | 'number_out_of_range' | 'array_length_invalid' | 'image_url_invalid' | 'image_unavailable' | 'nesting_too_deep' | 'json_invalid' | 'form_invalid' | 'csv_invalid' | 'encoding_invalid' | 'header_invalid' | 'body_unexpected' | 'request_malformed' | 'path_unknown' | 'resource_missing' | 'version_missing' | 'removal_missing' | 'position_unknown' | 'changes_expired' | 'changes_rewound' | 'change_damaged' | 'method_not_allowed' | 'record_exists' | 'record_present' | 'record_has_children' | 'children_too_many' | 'record_changed' | 'pin_missing' | 'pins_too_many' | 'proposal_decided' | 'row_repeated' | 'sync_ended' | 'sync_mismatch' | 'sync_in_doubt' | 'sync_removes_too_much' | 'batch_refused' | 'body_too_large' | 'rows_too_many' | 'stream_refused' | 'media_type_unsupported' | 'headers_too_large' | 'request_timeout' | 'record_erased' | 'past_retention' | 'matches_too_many' | 'erasure_closed' | 'erasure_running' | 'erasures_too_many' | 'erasures_exhausted' | 'erasure_keyless' | 'record_held' | 'follow_up_claimed' | 'follow_up_closed' | 'follow_up_open' | 'attempts_too_many' | 'do_not_contact' | 'holds_too_many' | 'upload_gone' | 'preview_missing' | 'retention_rules_too_many' | 'webhook_url_refused' | 'webhook_endpoints_too_many' | 'import_refused' | 'file_empty' | 'header_missing' | 'sheets_missing' | 'sheet_unknown' | 'workbook_unreadable' | 'file_compressed' | 'file_document' | 'file_json' | 'file_locked' | 'file_old_workbook' | 'file_other_workbook' | 'file_page' | 'file_xml' | 'column_missing' | 'parent_column_missing' | 'column_given_twice' | 'columns_rival' | 'columns_filled_too_many' | 'date_order_unclear' | 'date_orders_mixed' | 'times_without_zone' | 'import_too_old' | 'cells_wrong' | 'row_too_large' | 'column_unnamed' | 'characters_damaged' | 'quote_unclosed' | 'quote_ended_early' | 'quote_alone' | 'return_alone' | 'row_unplaced' | 'place_unknown' | 'place_ambiguous' | 'identifier_ambiguous' | 'identifier_unknown' | 'cell_empty' | 'phone_unreadable' | 'date_unreadable' | 'moment_unreadable' | 'moment_zone_unknown' | 'formula_error' | 'formula_unsaved' | 'made_a_date' | 'json_unreadable' | 'amount_not_cents' | 'weekday_wrong' | 'no_such_day' | 'digits_lost' | 'number_unreadable' | 'cell_too_long' | 'cell_character' | 'yes_or_no' | 'amount_unreadable' | 'date_as_number' | 'time_unexpected' | 'time_missing' | 'time_unreadable' | 'zone_missing' | 'time_ambiguous' | 'year_missing' | 'year_short' | 'date_order_missing' | (string & {});
}

/** An error of the type `authentication_error`. */
export class AuthenticationError extends LedgerstoneError {
  override readonly name: string = 'AuthenticationError';
  declare readonly type: 'authentication_error';
  declare readonly code: 'api_key_missing' | 'api_key_unknown' | 'api_key_expired' | 'api_key_suspended' | 'api_key_revoked' | 'api_key_address' | 'authentication_failed' | (string & {});
}

/** An error of the type `permission_error`. */
export class PermissionError extends LedgerstoneError {
  override readonly name: string = 'PermissionError';
  declare readonly type: 'permission_error';
  declare readonly code: 'permission_denied' | 'whole_account_needed' | 'location_not_permitted' | 'webhooks_unavailable' | (string & {});
}

/** An error of the type `idempotency_error`. */
export class IdempotencyError extends LedgerstoneError {
  override readonly name: string = 'IdempotencyError';
  declare readonly type: 'idempotency_error';
  declare readonly code: 'idempotency_key_reused' | (string & {});
}

/** An error of the type `rate_limit_error`. */
export class RateLimitError extends LedgerstoneError {
  override readonly name: string = 'RateLimitError';
  declare readonly type: 'rate_limit_error';
  declare readonly code: 'idempotency_keys_exhausted' | 'rate_limited' | 'concurrency_limited' | 'connections_too_many' | 'images_waiting' | 'audit_limited' | 'memory_limited' | 'files_waiting' | (string & {});
}

/** An error of the type `api_error`. */
export class ApiError extends LedgerstoneError {
  override readonly name: string = 'ApiError';
  declare readonly type: 'api_error';
  declare readonly code: 'store_set_back' | 'files_no_room' | 'uploads_full' | 'service_unavailable' | 'outcome_unknown' | 'answer_dropped' | 'store_refused' | 'internal_error' | (string & {});
}

/** The class of each type of error. */
export const errorClasses = {
  invalid_request_error: InvalidRequestError,
  authentication_error: AuthenticationError,
  permission_error: PermissionError,
  idempotency_error: IdempotencyError,
  rate_limit_error: RateLimitError,
  api_error: ApiError,
} as const;
