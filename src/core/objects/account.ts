/** An account: a customer, whose records keys and people see. Stores write it as a record, in a way of their own. */
import { boolean, text } from '../schema/fields/index.ts';
import { identifier, openChoice, time } from './kinds.ts';
import { field, type ObjectOf, optional, ownObject } from './own-object.ts';

/** The state of an account after it is emptied. */
export type Becomes = 'gone' | 'open' | 'closed';

export const account = ownObject({
  name: 'account',
  says: 'An account, as operators create it. Where accounts are listed, shown or changed, it has `time_zone`, `region`, `state` and `inherited` of its settings, too.',
  to: ['cli'],
  fields: {
    unique_identifier: field(identifier('acct_'), 'Identifier of the account'),
    name: field(text(), 'Name of the account'),
    livemode: field(boolean(), 'Whether it is a live or a test account'),
    inserted_at: field(time(), 'When it was created, in UTC'),
    updated_at: field(time(), 'When it was last changed, in UTC'),
    pins: optional<'off' | null>(
      openChoice('off'),
      '`off`: what staff change is not pinned; `on`, or omitted, otherwise',
    ),
    closed_at: optional<number | null>(time(), 'When it was closed; omitted while it is open'),
    becomes: optional<Becomes | null>(
      openChoice('gone', 'open', 'closed'),
      'Its state once its records are removed; present while the removal runs',
    ),
  },
});

export type Account = ObjectOf<typeof account.fields>;
