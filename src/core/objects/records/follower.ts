/** The places of a follower: how far it has read the log of changes of each account. */

import { text } from '../../schema/fields/index.ts';
import { counts, identifier } from '../kinds.ts';
import { field, type ObjectOf, ownTable } from '../own-object.ts';

const fields = {
  account: field(identifier('acct_'), 'The account', { column: 'of_account' }),
  change: field(text(), 'The last change; empty: none yet'),
  left_out: field(counts(), 'How many changes led to nothing although they might, by the reason'),
};

export type FollowerPlace = ObjectOf<typeof fields>;
export type FollowerTable = ReturnType<typeof followerTable>;

/** Declares the table of a follower's places, with the name of its part of a backup. */
export const followerTable = (table: string, backup: string, holds: string) =>
  ownTable({
    ...{ table, backup, holds, fields },
    key: ['of_account'],
    goesWith: 'account',
    nothing: 'change left_out',
  });
