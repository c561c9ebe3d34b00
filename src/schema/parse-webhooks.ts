/** Reads what is asked of webhook endpoints, and names everything that is wrong with it. */
import { Faults } from '../errors.ts';
import { choice } from './fields/choice.ts';
import { datetime } from './fields/datetime.ts';
import { type BodyReading, optional, required } from './fields/kind.ts';
import { list } from './fields/list.ts';
import { type Members, readMembers } from './fields/members.ts';
import { text } from './fields/text.ts';
import { wholeNumber } from './fields/whole-number.ts';
import { type Params, readSent } from './parse.ts';
import { readQuery } from './query-string.ts';
import type { JsonObject } from './values.ts';

const MAX_NOTIFICATIONS = 100;
const MAX_LOCATIONS = 1_000;
const MAX_ROTATION_SECONDS = 604_800;
const PAGE = 100;
const MAX_PAGE = 1000;

const settings = {
  description: optional(text({ max: 500 }), 'What it is for, in your words', 'Front desk'),
  notifications: optional(
    list(text({ max: 200 }), { min: 1, max: MAX_NOTIFICATIONS }),
    'Which notifications are sent: `event.created`, `event.*`, `*.deleted` or `*`; all where it is left out',
    ['event_check_in_record.created', '*.deleted'],
  ),
  locations: optional(
    list(text({ max: 200 }), { min: 1, max: MAX_LOCATIONS }),
    'Only changes of these locations, by their unique_identifiers, and of what is below them; all where it is left out',
    ['loc_0350hLTg4Qw7ghih1EWE8N'],
  ),
  deliver: optional(
    choice('changes', 'signal'),
    '`changes` sends each change; `signal` only tells, at most once a second, that there are changes to be read from the feed. `changes` where it is left out',
  ),
  payload: optional(
    choice('thin', 'full'),
    '`thin` sends the change; `full` also the record as it is at the moment of sending. `thin` where it is left out',
  ),
} as const satisfies Members;

export const webhookCreateParams = {
  account: optional(
    text({}),
    'unique_identifier of the account; may be left out where the API key has only one',
    'acct_0350hLTg4Qw7ghih1EWE8L',
  ),
  url: required(
    text({ max: 2048 }),
    'Where notifications are sent: an https URL',
    'https://example.com/webhooks/ledgerstone',
  ),
  ...settings,
} as const satisfies Members;

export const webhookChangeParams = {
  url: optional(webhookCreateParams.url.kind, webhookCreateParams.url.says),
  ...settings,
  status: optional(
    choice('enabled', 'paused'),
    '`paused` sends nothing until it is enabled again; what happened meanwhile is sent then',
  ),
} as const satisfies Members;

export const webhookRotateParams = {
  expires_in: optional(
    wholeNumber({ min: 0, max: MAX_ROTATION_SECONDS }),
    'Seconds for which notifications are signed with the old secret, too; 86400 where it is left out',
    3600,
  ),
} as const satisfies Members;

export const webhookReplayParams = {
  starting_after: optional(
    text({}),
    'unique_identifier of the change after which all are sent again',
    'chg_0350hLTg4Qw7ghih1EWE8N',
  ),
  since: optional(datetime(), 'The time from which on all changes are sent again'),
} as const satisfies Members;

export const webhookResendParams = {
  change: required(
    text({}),
    'unique_identifier of the change that is sent again',
    'chg_0350hLTg4Qw7ghih1EWE8N',
  ),
} as const satisfies Members;

export const webhookDeliveriesParams = {
  status: optional(choice('pending', 'delivered', 'failed'), 'Only deliveries that are so'),
  limit: optional(
    wholeNumber({ min: 1, max: MAX_PAGE }),
    `How many deliveries to return at most; ${PAGE} where it is left out`,
  ),
  starting_after: optional(
    text({}),
    'unique_identifier of the delivery after which the page starts: the last one of the page before',
  ),
} as const satisfies Members;

/** What the body says, or one `ApiError` that names every fault of it and of the query. */
export function parseWebhookBody(
  members: Members,
  params: Params,
  check: (values: JsonObject, faults: Faults) => void = () => {},
): JsonObject {
  const { encoding, unknown, query } = params;
  const faults = new Faults();
  readQuery({}, query, faults, unknown);
  const sent = readSent(params, faults) ?? {};
  const values = readMembers(members, sent, '', { encoding, faults, unknown, always: 'here' });
  check(values, faults);
  faults.throwIfAny();
  return values;
}

export interface DeliveriesRequest {
  readonly status: 'pending' | 'delivered' | 'failed' | undefined;
  readonly limit: number;
  readonly starting_after: string | undefined;
}

export function parseDeliveries(query: string, unknown: BodyReading['unknown']): DeliveriesRequest {
  const faults = new Faults();
  const { status, limit, starting_after } = readQuery(
    webhookDeliveriesParams,
    query,
    faults,
    unknown,
  );
  faults.throwIfAny();
  return {
    status: status as DeliveriesRequest['status'],
    limit: typeof limit === 'number' ? limit : PAGE,
    starting_after: typeof starting_after === 'string' ? starting_after : undefined,
  };
}
