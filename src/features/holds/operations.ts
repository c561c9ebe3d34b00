/** The operations on holds: what is on hold is not forgotten. */
import { datetime, optional, required, text } from '../../core/schema/fields/index.ts';
import type { Operation } from '../../edge/operations/operation.ts';
import { operationsOn } from '../../edge/operations/own.ts';
import { hold } from './declares.ts';

export const tag = {
  name: 'Holds',
  description: 'Keep records from being forgotten.',
};

/** The audit has it before it is done. */
const CONFIRMED = { confirms: true, audits: 'hold' } as const;

const on = operationsOn(hold, {
  tag: tag.name,
  needs: { permission: 'read', right: 'hold', whole: true },
});

export const operations = (): readonly Operation[] => [
  on.create({
    ...CONFIRMED,
    name: 'place_hold',
    summary: 'Place a hold',
    description:
      'Keeps a record from being forgotten, with all that belongs to it, also what arrives later: it is not removed, erased or taken away with its account, and the log of its account is kept beyond `HISTORY_DAYS`. It can still be changed; earlier versions stay in its history. What is refused meanwhile is 409 `record_held`.',
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
    errors: ['resource_missing', 'value_invalid', 'holds_too_many'],
    run: ({ holds }, { caller, params }) => {
      const { account, record, matter, reason, until } = params();
      return holds.place(caller, {
        account,
        record: record ?? undefined,
        matter,
        reason: reason ?? null,
        until: until ? Date.parse(until) : null,
      });
    },
  }),
  on.list({
    audits: 'list',
    description: 'The holds of the accounts of the key, newest first, also released ones.',
    limit: 50,
    query: {
      record: optional(
        text({}),
        'Only those that keep this record: placed on it or on what it belongs to, and not released',
      ),
    },
    errors: ['resource_missing'],
    find: ({ holds }, { caller }, { after: before, ...wanted }) =>
      holds.list(caller, { ...wanted, before }),
  }),
  on.get({
    audits: 'read',
    description: 'Answers the hold, also a released one.',
    run: ({ holds }, { caller, id }) => holds.find(caller, id),
  }),
  on.act('release', {
    ...CONFIRMED,
    summary: 'Release a hold',
    description:
      'Ends a hold. What waited for it goes on within a minute: erasures are finished, and old history goes. Another hold on the same record lasts. Releasing it again does nothing.',
    body: { reason: required(text({ max: 1000 }), 'Why it ends', 'the case is closed') },
    run: ({ holds }, { caller, id, params }) => holds.release(caller, id, params().reason),
  }),
];
