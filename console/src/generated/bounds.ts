// Generated from src/edge/operations/ by "npm run generate"; do not edit.

export const search_by_body = { q: 200, region: 120 };
export const patch_account_settings = { region: 120, state: 60 };
export const patch_location_settings = { region: 120, state: 60 };
export const update_source = { name: 255 };
export const begin_sync = { at_most: 20 };
export const finish_sync = { at_most: 20 };
export const begin_erasure = { reference: 200 };
export const close_erasure = { basis: 500 };
export const create_do_not_contact = { phone_number: 320, email_address: 320, reason: 1000 };
export const lift_do_not_contact = { reason: 1000 };
export const set_expectation = { hours: 2000, closed_days: 2000 };
export const create_follow_up = { note: 2000 };
export const hand_over_follow_up = { note: 2000 };
export const attempt_follow_up = { note: 2000 };
export const schedule_follow_up = { note: 2000 };
export const close_follow_up = { note: 2000 };
export const reopen_follow_up = { reason: 2000 };
export const place_hold = { matter: 200, reason: 1000 };
export const release_hold = { reason: 1000 };
export const look_at_upload = { resource: 500, account: 500, encoding: 500, delimiter: 500, sheet: 500, area_code: 4, like: 500 };
export const check_upload = { resource: 500, account: 500, encoding: 500, delimiter: 500, sheet: 500, area_code: 4, like: 500 };
export const create_import = { upload: 100, resource: 500, account: 500, encoding: 500, delimiter: 500, sheet: 500, area_code: 4, like: 500, source: 500 };
export const create_retention_rule = { basis: 500 };
export const change_retention_rule = { basis: 500 };
export const create_webhook_endpoint = { url: 2048, description: 500 };
export const update_webhook_endpoint = { url: 2048, description: 500 };
