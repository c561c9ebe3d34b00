// Generated from src/edge/operations/ by "npm run generate"; do not edit.

import { type ChangePage, ChangePages } from '../changes.ts';
import { List, type Page } from '../list.ts';
import { inPath } from '../query.ts';
import { Operations } from '../send.ts';
import type { RequestOptions } from '../settings.ts';

/** What was removed at once, by the record that it began with. */
export type Removal = {
  /** Type name of the object */
  object: 'removal';
  /** Identifies the removal */
  unique_identifier: string;
  /** The account of the record */
  account: string;
  /** The resource of the record */
  resource: 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply' | (string & {});
  /** The unique_identifier of the record */
  record: string;
  /** Your own identifier of it */
  external_identifier: string;
  /** What the record is called: of a service, the name of the person */
  name: string | null;
  /** Where the record was; null for a location itself */
  location: string | null;
  /** How many records were removed, this one and all that went with it */
  count: number;
  /** The last version of the record: read it with `?version=` */
  version: number;
  /** Who removed it; null unless the key may see the requests of others */
  key: string | null;
  /** When it was removed */
  removed_at: string;
};

/** What became of a restore. */
export type RestoredRemoval = {
  /** Type name of the object */
  object: 'restored_removal';
  /** Identifies the removal */
  unique_identifier: string;
  /** How many records were restored */
  restored: number;
  /** The first 100 of the records that stay removed */
  left: ({
    /** The resource of the record */
    resource: 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply' | (string & {});
    /** The unique_identifier of the record */
    record: string;
    /** Your own identifier of it */
    external_identifier: string;
    /** Why it stays removed, as the code of an error */
    code: string;
    /** Why it stays removed, in words */
    message: string;
  })[];
  /** How many records stay removed */
  left_count: number;
};

/** The time zone, region and state of a location; or of an account, for all of its locations that have none of their own. */
export type LocationSettings = {
  /** Type name of the object */
  object: 'location_settings';
  /** Identifier of the location, or of the account */
  unique_identifier: string;
  /** The account of the location, or the account itself */
  account: string;
  /** Its time zone, by its name in the IANA database; `UTC` where none is set */
  time_zone: string;
  /** The region that it belongs to, in your words */
  region: string | null;
  /** The state or province that it is in */
  state: string | null;
  /** Those of `time_zone`, `region` and `state` that are not set here: a location has them from its account, and without that the time zone is `UTC` */
  inherited: string[];
};

/** The API key of the request; never its secret. */
export type ApiKey = {
  /** Type name of the object */
  object: 'api_key';
  /** Identifier of the key */
  unique_identifier: string;
  /** What the operator calls it */
  name: string | null;
  /** The last four characters of the secret */
  ending: string;
  /** Whether it is for live accounts, or for test ones */
  livemode: boolean;
  /** Its open accounts, by their unique identifiers */
  accounts: string[];
  /** The locations that it is limited to; null: whole accounts */
  locations: string[] | null;
  /** What it may do with records: `read`, `write`, `delete` */
  permissions: string[];
  /** The resources that it is limited to, as in paths; null: all */
  resources: string[] | null;
  /** What it may do besides */
  allow: string[];
  /** The networks that it works from; null: any address */
  from: string[] | null;
  /** Its own limit; null: the limit of the service, if there is one */
  requests_a_second: number | null;
  /** Its own limit; null: none */
  requests_at_once: number | null;
  /** When it was made, in UTC */
  inserted_at: string;
  /** When it expires, in UTC; null: never */
  expires_at: string | null;
};

/** Where notifications of the changes of an account are sent. */
export type WebhookEndpoint = {
  /** Type name of the object */
  object: 'webhook_endpoint';
  /** Identifier of the endpoint */
  unique_identifier: string;
  /** The account whose changes are sent */
  account: string;
  /** Where notifications are sent */
  url: string;
  /** What it is for */
  description: string | null;
  /** Which notifications are sent */
  notifications: string[];
  /** The only locations whose changes are sent; null: all */
  locations: string[] | null;
  /** Whether each change is sent, or only that there are some */
  deliver: 'changes' | 'signal';
  /** Whether the record is sent with the change */
  payload: 'thin' | 'full';
  /** `failing`: many deliveries failed, and it is tried now and then until one succeeds; `paused` and `disabled`: nothing is sent */
  status: 'enabled' | 'failing' | 'paused' | 'disabled' | (string & {});
  /** Why it is paused or disabled: `paused` by a request, `key_ended`, `gone` (it answered 410), `failing_too_long`, `changes_expired`, `changes_rewound` or `restored` */
  disabled_reason: string | null;
  /** When the first delivery failed since the last success */
  failing_since: string | null;
  /** The change up to which all are delivered, or are listed as pending */
  position: string | null;
  /** The API key that sees for it: what that key may not read is not sent. The account itself where an administrator made it in the console */
  key: string;
  /** When it was created */
  inserted_at: string;
  /** When it was last changed by a request */
  updated_at: string;
  /** What notifications are signed with; shown only in the answer that creates or rotates it */
  secret?: string;
};

/** In place of a webhook endpoint that was deleted. */
export type RemovedWebhookEndpoint = {
  /** Type name of the object */
  object: 'webhook_endpoint';
  /** Identifier of the endpoint */
  unique_identifier: string;
  /** Always true */
  deleted: true;
};

/** What became of one change at one endpoint. Kept for 30 days. */
export type WebhookDelivery = {
  /** Type name of the object */
  object: 'webhook_delivery';
  /** Identifier of the delivery */
  unique_identifier: string;
  /** The endpoint */
  webhook_endpoint: string;
  /** The change, whose identifier is sent as `webhook-id` */
  change: string;
  /** The notification */
  type: string;
  /** The record that was changed */
  record: string;
  /** `pending`: it is to be tried, or waits for an earlier change of the record */
  status: 'pending' | 'delivered' | 'failed';
  /** How often it was tried */
  attempts: number;
  /** The status that the endpoint answered last */
  status_code: number | null;
  /** Why the last try failed */
  error: string | null;
  /** Milliseconds that the last try took */
  duration_ms: number | null;
  /** When it is tried next */
  next_attempt_at: string | null;
  /** When it was first noted */
  inserted_at: string;
  /** When it was tried or changed last */
  updated_at: string;
};

/** What became of a test. */
export type WebhookTest = {
  /** Type name of the object */
  object: 'webhook_test';
  /** Whether the endpoint answered 2xx */
  delivered: boolean;
  /** The status that it answered */
  status_code: number | null;
  /** Why the test failed */
  error: string | null;
  /** Milliseconds that it took */
  duration_ms: number;
};

/** A request that was refused, or of whose rows some were. Nothing that was sent is in it. */
export type RefusedRequest = {
  /** Type name of the object */
  object: 'request';
  /** The `Request-Id` of the answer */
  request_id: string;
  /** When it was answered */
  time: string;
  /** The API key */
  key?: string;
  /** The account of the key; left out where it has several */
  account?: string;
  /** Why the key was not taken: `revoked`, `expired`, `suspended`, `address_not_permitted` or `account_closed`; left out where it was taken */
  authentication?: string;
  /** The network address that it came from */
  address?: string;
  /** The method */
  method: string;
  /** The path; a part that is neither of ours nor an identifier that we gave is `*` */
  path: string;
  /** The status of the answer: 200 where only rows were refused */
  status: number;
  /** The error code of the answer, or of most of its rows that were refused */
  code: string;
  /** The message the caller received. Submitted values are left out */
  message: string;
  /** What was wrong, the most frequent first */
  errors: ({
    /** The error code */
    code: string;
    /** The parameter, as far as its name is declared: any other name is `*` */
    param?: string;
    /** The message the caller received. Submitted values are left out */
    message: string;
    /** Of an unknown name, the known one that is most like it */
    nearest?: string;
    /** How many such faults there were */
    count: number;
    /** The first lines of a stream that have it, counted from 1 */
    lines?: number[];
    /** The first elements of an array that have it, counted from 0 */
    elements?: number[];
  })[];
  /** Of `upsert_many`: how many rows, by what was done or by error code */
  rows?: { [name: string]: number };
};

/** How much was done in one hour with one key in one place. */
export type Activity = {
  /** Type name of the object */
  object: 'activity';
  /** When the hour began */
  hour: string;
  /** The account of the records; left out where it is one of several */
  account?: string;
  /** The API key */
  key: string;
  /** The location of the records; left out where there is none */
  location?: string;
  /** The resource */
  resource?: string;
  /** What was done, `read` or `refused`; `deprecated`: counted once more, since it used what is to go */
  outcome: string;
  /** How many requests or rows */
  count: number;
  /** When the last of them was answered */
  last_at: string;
  /** What to send as `starting_after` to go on after this entry */
  cursor: string;
};

/** A self-test: what the requests of one key were checked for. */
export type SelfTest = {
  /** Type name of the object */
  object: 'self_test';
  /** Identifier of the self-test */
  unique_identifier: string;
  /** The test account */
  account: string;
  /** The API key whose requests it looks at */
  key: string;
  /** `ended`: an hour has passed, or the key opened another */
  status: 'open' | 'passed' | 'ended' | (string & {});
  /** How many checks passed */
  passed: number;
  /** All twelve, in order */
  checks: ({
    /** Name of the check */
    name: string;
    /** What the program is to do */
    does: string;
    /** What came of it; `missing`: not seen yet */
    status: 'passed' | 'failed' | 'missing' | (string & {});
    /** What was seen, or what is missing */
    seen: string;
  })[];
  /** When it was opened, in UTC */
  inserted_at: string;
  /** When it ends, in UTC */
  expires_at: string;
};

/** What `list_removals` takes. */
export type ListRemovalsParams = {
  /** unique_identifier of the account; may be left out where the API key has only one */
  readonly account?: string | undefined;
  /** Only removals with a record that held these words, in whole or in part, or has them in its external_identifier */
  readonly q?: string | undefined;
  /** Only removals that began with a record of these resources */
  readonly resource?: readonly ('location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply')[] | undefined;
  /** Only removals at this location, by its unique_identifier */
  readonly location?: string | undefined;
  /** Only the removal that took this record, by its unique_identifier */
  readonly record?: string | undefined;
  /** How many removals to return at most; 50 where it is left out */
  readonly limit?: number | undefined;
  /** `position` of the page before */
  readonly starting_after?: string | undefined;
};

/** What `restore_removal` takes. */
export type RestoreRemovalParams = {
  /** Whether only to answer what the request would do, and to change nothing */
  readonly dry_run?: boolean | undefined;
};

/** What `search` takes. */
export type SearchParams = {
  /** Words of names by their starts, the last four or more digits of a phone number, an email address, or an identifier */
  readonly q: string;
  /** Only records of these resources */
  readonly resource?: readonly ('account' | 'location' | 'event' | 'event_administrator' | 'event_check_in_record' | 'online_arrangement' | 'direct_mail_reply')[] | undefined;
  /** How many records of each resource to return at most; 10 where it is left out */
  readonly limit?: number | undefined;
  /** Only records of this account, by its unique_identifier */
  readonly account?: string | undefined;
  /** Only this location, by its unique_identifier, and what is below it */
  readonly location?: string | undefined;
  /** Only locations of this region, by their settings, and what is below them */
  readonly region?: string | undefined;
  /** What the records belong to, or the identifiers of all that, to be put into the answer */
  readonly expand?: readonly ('account' | 'identifiers' | 'location' | 'event')[] | undefined;
};

/** What `patch_account_settings` takes. */
export type PatchAccountSettingsParams = {
  /** Its time zone, by its name in the IANA database; `""` takes it away */
  readonly time_zone?: string | null | undefined;
  /** The region that it belongs to, in your words; `""` takes it away */
  readonly region?: string | null | undefined;
  /** The state or province that it is in; `""` takes it away */
  readonly state?: string | null | undefined;
};

/** What `patch_location_settings` takes. */
export type PatchLocationSettingsParams = {
  /** Its time zone, by its name in the IANA database; `""` takes it away */
  readonly time_zone?: string | null | undefined;
  /** The region that it belongs to, in your words; `""` takes it away */
  readonly region?: string | null | undefined;
  /** The state or province that it is in; `""` takes it away */
  readonly state?: string | null | undefined;
};

/** What `list_location_settings` takes. */
export type ListLocationSettingsParams = {
  /** Only the settings of this account and its locations */
  readonly account?: string | undefined;
  /** How many locations to return at most; 1000 where it is left out */
  readonly limit?: number | undefined;
  /** unique_identifier of the last one of the page before */
  readonly starting_after?: string | undefined;
};

/** What `create_webhook_endpoint` takes. */
export type CreateWebhookEndpointParams = {
  /** unique_identifier of the account; may be left out where the API key has only one */
  readonly account?: string | null | undefined;
  /** Where notifications are sent: an https URL */
  readonly url: string;
  /** What it is for, in your words */
  readonly description?: string | null | undefined;
  /** Which notifications are sent: `event.created`, `event.*`, `*.deleted` or `*`; all where it is left out */
  readonly notifications?: readonly string[] | null | undefined;
  /** Only changes of these locations, by their unique_identifiers, and of what is below them; all where it is left out */
  readonly locations?: readonly string[] | null | undefined;
  /** `changes` sends each change; `signal` only tells, at most once a second, that there are changes to be read from the feed. `changes` where it is left out */
  readonly deliver?: 'changes' | 'signal' | null | undefined;
  /** `thin` sends the change; `full` also the record as it is at the moment of sending. `thin` where it is left out */
  readonly payload?: 'thin' | 'full' | null | undefined;
};

/** What `update_webhook_endpoint` takes. */
export type UpdateWebhookEndpointParams = {
  /** Where notifications are sent: an https URL */
  readonly url?: string | null | undefined;
  /** What it is for, in your words */
  readonly description?: string | null | undefined;
  /** Which notifications are sent: `event.created`, `event.*`, `*.deleted` or `*`; all where it is left out */
  readonly notifications?: readonly string[] | null | undefined;
  /** Only changes of these locations, by their unique_identifiers, and of what is below them; all where it is left out */
  readonly locations?: readonly string[] | null | undefined;
  /** `changes` sends each change; `signal` only tells, at most once a second, that there are changes to be read from the feed. `changes` where it is left out */
  readonly deliver?: 'changes' | 'signal' | null | undefined;
  /** `thin` sends the change; `full` also the record as it is at the moment of sending. `thin` where it is left out */
  readonly payload?: 'thin' | 'full' | null | undefined;
  /** `paused` sends nothing until it is enabled again; what happened meanwhile is sent then */
  readonly status?: 'enabled' | 'paused' | null | undefined;
};

/** What `rotate_webhook_secret` takes. */
export type RotateWebhookSecretParams = {
  /** Seconds for which notifications are signed with the old secret, too; 86400 where it is left out */
  readonly expires_in?: number | null | undefined;
};

/** What `replay_webhook_endpoint` takes. */
export type ReplayWebhookEndpointParams = {
  /** unique_identifier of the change after which all are sent again */
  readonly starting_after?: string | null | undefined;
  /** The time from which on all changes are sent again */
  readonly since?: string | null | undefined;
};

/** What `resend_webhook_delivery` takes. */
export type ResendWebhookDeliveryParams = {
  /** unique_identifier of the change that is sent again */
  readonly change: string;
};

/** What `list_webhook_deliveries` takes. */
export type ListWebhookDeliveriesParams = {
  /** Only deliveries that are `pending`, `delivered` or `failed` */
  readonly status?: 'pending' | 'delivered' | 'failed' | undefined;
  /** How many deliveries to return at most; 100 where it is left out */
  readonly limit?: number | undefined;
  /** unique_identifier of the delivery after which the page starts: the last one of the page before */
  readonly starting_after?: string | undefined;
};

/** What `list_requests` takes. */
export type ListRequestsParams = {
  /** How many entries to return at most */
  readonly limit?: number | undefined;
  /** Only what is of this account: its unique_identifier */
  readonly account?: string | undefined;
  /** Only requests with this API key: its identifier, key_…, never its secret */
  readonly key?: string | undefined;
  /** Only requests with this error code, in the answer or in one of its rows */
  readonly code?: 'parameter_missing' | 'parameter_unknown' | 'parameter_repeated' | 'parameters_conflict' | 'type_invalid' | 'text_invalid' | 'text_too_long' | 'value_too_large' | 'phone_number_invalid' | 'datetime_invalid' | 'datetime_offset_missing' | 'date_invalid' | 'value_invalid' | 'number_out_of_range' | 'array_length_invalid' | 'image_url_invalid' | 'image_unavailable' | 'nesting_too_deep' | 'json_invalid' | 'form_invalid' | 'csv_invalid' | 'encoding_invalid' | 'header_invalid' | 'body_unexpected' | 'request_malformed' | 'api_key_missing' | 'api_key_unknown' | 'api_key_expired' | 'api_key_suspended' | 'api_key_revoked' | 'api_key_address' | 'authentication_failed' | 'permission_denied' | 'location_not_permitted' | 'path_unknown' | 'resource_missing' | 'version_missing' | 'removal_missing' | 'position_unknown' | 'changes_expired' | 'changes_rewound' | 'change_damaged' | 'webhook_url_refused' | 'webhooks_unavailable' | 'webhook_endpoints_too_many' | 'method_not_allowed' | 'record_exists' | 'record_present' | 'record_has_children' | 'children_too_many' | 'record_changed' | 'idempotency_key_reused' | 'idempotency_keys_exhausted' | 'batch_refused' | 'body_too_large' | 'rows_too_many' | 'stream_refused' | 'media_type_unsupported' | 'headers_too_large' | 'request_timeout' | 'rate_limited' | 'memory_limited' | 'sign_in_needed' | 'sign_in_failed' | 'sign_in_limited' | 'reauthentication_needed' | 'invitation_invalid' | 'import_refused' | 'password_refused' | 'passkey_needed' | 'passkey_refused' | 'last_way_in' | 'sign_in_insecure' | 'single_sign_on_failed' | 'cross_site_refused' | 'service_unavailable' | 'internal_error' | undefined;
  /** Only the request with this identifier */
  readonly request_id?: string | undefined;
  /** Only requests in which the record with this external_identifier was refused */
  readonly identifier?: string | undefined;
  /** Only requests answered with this status */
  readonly status?: number | undefined;
  /** Only requests whose path begins so, such as /v1/events */
  readonly path?: string | undefined;
  /** Only requests with API keys or without any, or only those of people in the console */
  readonly by?: 'keys' | 'staff' | undefined;
  /** When the request was answered */
  readonly time?: string | {
    /** This or later */
    readonly gte?: string | undefined;
    /** Later than this */
    readonly gt?: string | undefined;
    /** This or earlier */
    readonly lte?: string | undefined;
    /** Earlier than this */
    readonly lt?: string | undefined;
  } | undefined;
  /** request_id of the entry after which the page starts */
  readonly starting_after?: string | undefined;
};

/** What `list_activity` takes. */
export type ListActivityParams = {
  /** How many entries to return at most */
  readonly limit?: number | undefined;
  /** Only what is of this account: its unique_identifier */
  readonly account?: string | undefined;
  /** Only requests with this API key: its identifier, key_…, never its secret */
  readonly key?: string | undefined;
  /** Only what was done at this location: its unique_identifier */
  readonly location?: string | undefined;
  /** Only what was done at locations of this region, by their settings */
  readonly region?: string | undefined;
  /** The hour in which it was done */
  readonly hour?: string | {
    /** This or later */
    readonly gte?: string | undefined;
    /** Later than this */
    readonly gt?: string | undefined;
    /** This or earlier */
    readonly lte?: string | undefined;
    /** Earlier than this */
    readonly lt?: string | undefined;
  } | undefined;
  /** cursor of the entry after which the page starts */
  readonly starting_after?: string | undefined;
};

export class RemovalsApi extends Operations {
  /** List what was removed. Answers what was removed and can be restored, the newest first: each removal once, by the record that it began with. A removal stays in the list until it is restored or the log of changes no longer reaches it. */
  list(params: ListRemovalsParams = {}, options?: RequestOptions): ChangePages<Removal> {
    return new ChangePages((starting_after) => this.send({ method: 'GET', path: '/v1/removals', query: starting_after === undefined ? params : { ...params, starting_after }, options }) as Promise<ChangePage<Removal>>);
  }

  /** Read a removal. Answers what was removed at once, while it can be restored. */
  retrieve(unique_identifier: string, options?: RequestOptions): Promise<Removal> {
    return this.send({ method: 'GET', path: `/v1/removals/${inPath(unique_identifier)}`, options }) as Promise<Removal>;
  }

  /** Restore all that was removed. Restores the record that was removed and everything that went with it, each with its `unique_identifier` and as it was last. Where another record has its identifiers by now, that one stays, and the answer names what stays removed. Send it again if it was interrupted: it goes on where it stopped. The key needs the permissions to read and to write. */
  restore(unique_identifier: string, params: RestoreRemovalParams = {}, options?: RequestOptions): Promise<RestoredRemoval> {
    return this.send({ method: 'POST', path: `/v1/removals/${inPath(unique_identifier)}/restore`, query: params, options }) as Promise<RestoredRemoval>;
  }
}

export class LocationSettingsApi extends Operations {
  /** List the settings of locations. Answers first the settings of each account, then those of the locations for which something is set, by `unique_identifier`. A location that is not in the list has the settings of its account. */
  list(params: ListLocationSettingsParams = {}, options?: RequestOptions): List<LocationSettings> {
    return new List((cursor) => this.send({ method: 'GET', path: '/v1/location_settings', query: { ...params, ...cursor }, options }) as Promise<Page<LocationSettings>>, false);
  }
}

export class WebhookEndpointsApi extends Operations {
  /** List webhook endpoints. Lists all endpoints that the key may see, newest first. Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own. */
  list(options?: RequestOptions): Promise<readonly WebhookEndpoint[]> {
    return (this.send({ method: 'GET', path: '/v1/webhook_endpoints', options }) as Promise<Page<WebhookEndpoint>>).then(({ data }) => data);
  }

  /** Create a webhook endpoint. From now on the changes of the account are sent to the URL, signed by Standard Webhooks. The answer shows the secret, once. An account has at most 20 endpoints. Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own. */
  create(params: CreateWebhookEndpointParams, options?: RequestOptions): Promise<WebhookEndpoint & Required<Pick<WebhookEndpoint, 'secret'>>> {
    return this.send({ method: 'POST', path: '/v1/webhook_endpoints', body: JSON.stringify(params), isOnce: true, options }) as Promise<WebhookEndpoint & Required<Pick<WebhookEndpoint, 'secret'>>>;
  }

  /** Read a webhook endpoint. Answers the endpoint, without its secret. Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own. */
  retrieve(unique_identifier: string, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.send({ method: 'GET', path: `/v1/webhook_endpoints/${inPath(unique_identifier)}`, options }) as Promise<WebhookEndpoint>;
  }

  /** Change a webhook endpoint. What is left out stays. `"status": "enabled"` sends what happened while it was paused or disabled; the key that enables an endpoint is the one that sees for it from then on. Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own. */
  patch(unique_identifier: string, params: UpdateWebhookEndpointParams = {}, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.send({ method: 'PATCH', path: `/v1/webhook_endpoints/${inPath(unique_identifier)}`, body: JSON.stringify(params), options }) as Promise<WebhookEndpoint>;
  }

  /** Delete a webhook endpoint. Nothing more is sent to it. Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own. */
  remove(unique_identifier: string, options?: RequestOptions): Promise<RemovedWebhookEndpoint> {
    return this.send({ method: 'DELETE', path: `/v1/webhook_endpoints/${inPath(unique_identifier)}`, options }) as Promise<RemovedWebhookEndpoint>;
  }

  /** Rotate the secret of a webhook endpoint. Answers the endpoint with a new secret, shown once. Until the old one ends notifications are signed with both. Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own. */
  rotateSecret(unique_identifier: string, params: RotateWebhookSecretParams = {}, options?: RequestOptions): Promise<WebhookEndpoint & Required<Pick<WebhookEndpoint, 'secret'>>> {
    return this.send({ method: 'POST', path: `/v1/webhook_endpoints/${inPath(unique_identifier)}/rotate_secret`, body: JSON.stringify(params), isOnce: true, options }) as Promise<WebhookEndpoint & Required<Pick<WebhookEndpoint, 'secret'>>>;
  }

  /** Send changes again. Sends all changes again that came after a change or a time, as far as the log of changes goes back, with the same `webhook-id`s. Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own. */
  replay(unique_identifier: string, params: ReplayWebhookEndpointParams = {}, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.send({ method: 'POST', path: `/v1/webhook_endpoints/${inPath(unique_identifier)}/replay`, body: JSON.stringify(params), options }) as Promise<WebhookEndpoint>;
  }

  /** Send one change again. Sends again a change whose delivery was attempted in the last 30 days. Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own. */
  resend(unique_identifier: string, change: ResendWebhookDeliveryParams['change'], options?: RequestOptions): Promise<WebhookDelivery> {
    return this.send({ method: 'POST', path: `/v1/webhook_endpoints/${inPath(unique_identifier)}/resend`, body: JSON.stringify({ change }), options }) as Promise<WebhookDelivery>;
  }

  /** Test a webhook endpoint. Sends a notification `webhook_endpoint.test` at once, and answers what came of it. Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own. */
  test(unique_identifier: string, options?: RequestOptions): Promise<WebhookTest> {
    return this.send({ method: 'POST', path: `/v1/webhook_endpoints/${inPath(unique_identifier)}/test`, body: JSON.stringify({}), options }) as Promise<WebhookTest>;
  }

  /** List deliveries. Lists what became of changes at the endpoint, the newest change first, for 30 days. Needs a key with the right `webhooks` and the permission to read. A key that is limited to locations or resources sees only endpoints of its own. */
  deliveries(unique_identifier: string, params: ListWebhookDeliveriesParams = {}, options?: RequestOptions): List<WebhookDelivery> {
    return new List((cursor) => this.send({ method: 'GET', path: `/v1/webhook_endpoints/${inPath(unique_identifier)}/deliveries`, query: { ...params, ...cursor }, options }) as Promise<Page<WebhookDelivery>>, false);
  }
}

export class RequestsApi extends Operations {
  /** List refused requests. Lists refused requests, and requests with refused rows, newest first: the last 10,000 of each key. They appear within seconds. Needs a key with the right `requests` that is not limited to locations. It sees requests with keys whose accounts are all among its own. Kept for 30 days. */
  list(params: ListRequestsParams = {}, options?: RequestOptions): List<RefusedRequest> {
    return new List((cursor) => this.send({ method: 'GET', path: '/v1/requests', query: { ...params, ...cursor }, options }) as Promise<Page<RefusedRequest>>, false, 'request_id');
  }
}

export class ActivityApi extends Operations {
  /** List what was done by hour. Counts requests and rows by hour, key, location, resource and outcome, by account, newest hour first. They appear within about ten seconds. Needs a key with the right `requests` that is not limited to locations. It sees requests with keys whose accounts are all among its own. Kept for 30 days. */
  list(params: ListActivityParams = {}, options?: RequestOptions): List<Activity> {
    return new List((cursor) => this.send({ method: 'GET', path: '/v1/activity', query: { ...params, ...cursor }, options }) as Promise<Page<Activity>>, false, 'cursor');
  }
}

export class SelfTestsApi extends Operations {
  /** Open a self-test. Checks what the requests of this key of a test account do, for an hour. It refuses some of them on purpose, as the checks say. Another self-test of the same key ends it. */
  create(options?: RequestOptions): Promise<SelfTest> {
    return this.send({ method: 'POST', path: '/v1/self_tests', body: JSON.stringify({}), options }) as Promise<SelfTest>;
  }

  /** List self-tests. The self-tests of the accounts of the key that are kept: the last 20 of an account, for 30 days. */
  list(options?: RequestOptions): Promise<readonly SelfTest[]> {
    return (this.send({ method: 'GET', path: '/v1/self_tests', options }) as Promise<Page<SelfTest>>).then(({ data }) => data);
  }

  /** Read a self-test. Which checks have passed, and what was seen. A browser gets a page that follows the self-test: sign in with the API key as user name. */
  retrieve(unique_identifier: string, options?: RequestOptions): Promise<SelfTest> {
    return this.send({ method: 'GET', path: `/v1/self_tests/${inPath(unique_identifier)}`, options }) as Promise<SelfTest>;
  }
}
