/** The operations on holds: what is held is not forgotten. */

import { present } from '../../../core/objects/own-object.ts';
import { hold } from '../../../core/objects/records/hold.ts';
import { optional, required } from '../../../core/schema/fields/kind.ts';
import { datetime } from '../../../core/schema/fields/kinds/datetime.ts';
import { text } from '../../../core/schema/fields/kinds/text.ts';
import { wholeNumber } from '../../../core/schema/fields/kinds/whole-number.ts';
import type { StoredHold } from '../../../store/promises/erasing/holds.ts';
import { type Operation, operation, pageOf } from '../operation.ts';

const PATH = '/v1/holds';
const PAGE = 50;
/** After every identifier. */
const LAST = '\u{10ffff}';

const all = {
  tag: 'Holds',
  needs: { permission: 'read', right: 'hold', whole: true },
} as const;
/** The audit has it before it is done. */
const CONFIRMED = { confirms: true, audits: 'hold' } as const;
const one = {
  id: { says: 'Identifies the hold', prefix: 'hld_' },
  answers: { schema: 'Hold', says: 'The hold.' },
} as const;
const NO_KEY = 'Holds take no Idempotency-Key: send the request without it.';

const shown = (one: StoredHold): object => present(hold, one, 'api', 0);

export const holdOperations: readonly Operation[] = [
  operation({
    ...all,
    name: 'place_hold',
    ...CONFIRMED,
    route: `POST ${PATH}`,
    summary: 'Place a hold',
    description:
      'Keeps a record from being forgotten, with all that belongs to it, also what arrives later: it is not removed, erased or taken away with its account, and its history is kept beyond `HISTORY_DAYS`. It can still be changed; earlier versions stay in its history. What is refused meanwhile is 409 `record_held`.',
    body: {
      account: required(text({}), 'unique_identifier of the account'),
      record: optional(
        text({}),
        'unique_identifier of a location, a service or any other record, also of a removed one; the whole account where it is left out',
      ),
      matter: required(text({ max: 200 }), 'What it is kept for', 'Case 2026-118'),
      reason: optional(text({ max: 1000 }), 'Why'),
      until: optional(datetime(), 'When it ends by itself; it lasts until it is released without'),
    },
    sends: {
      account: 'acct_036Vq1rXbU9kTqPpLw3aZc',
      record: 'evt_036Vq1rXbU9kTqPpLw3aZc',
      matter: 'Case 2026-118',
    },
    answers: one.answers,
    errors: ['resource_missing', 'value_invalid', 'holds_too_many'],
    refusesIdempotencyKey: NO_KEY,
    run: async ({ holds }, { caller, params, done }) => {
      const { account, record, matter, reason, until } = params();
      const placed = await holds.place(caller, {
        ...{ account, record: record ?? undefined, matter, reason: reason ?? null },
        until: until ? Date.parse(until) : null,
      });
      done({ unique_identifier: placed.unique_identifier, account });
      return shown(placed);
    },
  }),
  operation({
    ...all,
    name: 'list_holds',
    audits: 'list',
    route: `GET ${PATH}`,
    summary: 'List holds',
    description: 'The holds of the accounts of the key, newest first, also released ones.',
    query: {
      record: optional(
        text({}),
        'Only those that keep this record: placed on it or on what it belongs to, and not released',
      ),
      limit: optional(
        wholeNumber({ min: 1, max: PAGE }),
        `How many holds to return at most; ${PAGE} where it is left out`,
      ),
      starting_after: optional(text({}), 'unique_identifier of the last one of the page before'),
    },
    defaults: { limit: PAGE },
    answers: { schema: 'HoldList', says: 'The holds.' },
    errors: ['resource_missing'],
    run: async ({ holds }, { caller, params }) => {
      const { record, limit = PAGE, starting_after: before = LAST } = params();
      const found = await holds.list(caller, { record, before, limit: limit + 1 });
      return pageOf(PATH, found.map(shown), limit);
    },
  }),
  operation({
    ...all,
    ...one,
    name: 'get_hold',
    audits: 'read',
    route: `GET ${PATH}/:unique_identifier`,
    summary: 'Read a hold',
    description: 'Answers the hold, also a released one.',
    errors: ['resource_missing'],
    run: async ({ holds }, { caller, id, done }) => {
      const found = await holds.find(caller, id);
      done({ account: found.account });
      return shown(found);
    },
  }),
  operation({
    ...all,
    ...one,
    name: 'release_hold',
    ...CONFIRMED,
    route: `POST ${PATH}/:unique_identifier/release`,
    summary: 'Release a hold',
    description:
      'Ends a hold. What waited for it goes on within a minute: erasures are finished, and old history goes. Another hold on the same record lasts. Releasing it again does nothing.',
    body: { reason: required(text({ max: 1000 }), 'Why it ends', 'the case is closed') },
    errors: ['resource_missing'],
    refusesIdempotencyKey: NO_KEY,
    run: async ({ holds }, { caller, id, params, done }) => {
      const { reason } = params();
      const released = await holds.release(caller, id, reason);
      done({ account: released.account });
      return shown(released);
    },
  }),
];
