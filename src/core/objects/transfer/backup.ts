/** The backup that administrators see: the last one that was checked. */
import { boolean, text } from '../../schema/fields/index.ts';
import { count, flag, identifier, json, time } from '../kinds.ts';
import { field, nullable, ownObject, ownTable } from '../own-object.ts';

export const backup = ownObject({
  name: 'backup',
  says: 'The last backup that was checked.',
  to: ['console'],
  fields: {
    taken_at: nullable(time(), 'The moment it was taken; null: none was checked'),
    checked_at: nullable(time(), 'When it was checked'),
    overdue: field(boolean(), 'Whether a newer one should have been checked by now'),
  },
});

export const checkedBackup = ownTable({
  table: 'checked_backup',
  key: ['single'],
  holds: 'The last checked backup',
  fields: {
    single: field(flag(), 'The only row'),
    taken_at: field(time(), 'The moment that it shows'),
    checked_at: field(time(), 'When it was checked'),
    number: field(count(), 'Its number among the backups of this store; 0: it has none', {
      initial: 0,
    }),
  },
});

/** Where a store comes from: the one that it was restored from, the number of its backup, and when that was. */
export interface Origin {
  readonly store: string;
  readonly number: number;
  readonly at: number;
}

export const storeIdentity = ownTable({
  table: 'store_identity',
  key: ['single'],
  holds: 'Which store this is, as its backups name it',
  nothing: 'store origins folder host',
  fields: {
    single: field(flag(), 'The only row'),
    store: field(identifier('str_'), 'The store: a restored copy of it is another one'),
    made: field(count(), 'The number of the last backup that it has made'),
    origins: field(
      json<readonly Origin[]>(),
      'The stores that it was restored from, the last one first, each with the number of the backup',
    ),
    folder: nullable(text(), 'The folder of its last backup'),
    host: nullable(text(), 'The machine of that folder'),
  },
});

export const followedBackup = ownTable({
  table: 'followed_backup',
  key: ['name'],
  holds: 'Folders that follow the store',
  nothing: 'name holder folder host',
  fields: {
    name: field(text(), 'What the folder is called'),
    holder: field(text(), 'The process that writes it'),
    until: field(time(), 'Until when it may write without being heard of again'),
    folder: field(text(), 'The path'),
    host: field(text(), 'The machine'),
    since: field(time(), 'Since when it has followed'),
    shows_at: nullable(time(), 'Everything up to then is in the folder'),
    whole_at: nullable(time(), 'When its whole backup was taken'),
    left_out: nullable(count(), 'Damaged changes that it lacks'),
  },
});

export const seenTime = ownTable({
  table: 'seen_time',
  key: ['single'],
  holds: 'The latest time that the service believed',
  fields: {
    single: field(flag(), 'The only row'),
    at: field(time(), 'The time'),
    rewritten_at: nullable(time(), 'When the file of a store on SQLite was last rewritten'),
  },
});
