/** A job: long work in pieces that one process does at a time, and that another one takes over where it ends. */
import { text } from '../../schema/fields/index.ts';
import { identifier, json, time } from '../kinds.ts';
import { field, nullable, type ObjectOf, ownTable } from '../own-object.ts';

export const job = ownTable({
  table: 'job',
  key: ['account', 'kind', 'object'],
  holds: 'Long work that is under way, and the process that does it',
  goes: 'When the work is done, or an hour after nobody goes on with it',
  identifiers: 'object',
  nothing: 'kind owner counts',
  fields: {
    account: field(identifier('acct_'), 'The account that it is for'),
    kind: field(text(), 'What is done'),
    object: field(text(), 'The unique_identifier of the object that has its state'),
    owner: field(text(), 'The process that does it'),
    until: field(time(), 'Until when it may work without being heard of again'),
    began_at: field(time(), 'When it began'),
    progressed_at: field(time(), 'When it last came further'),
    counts: nullable(
      json<Readonly<Record<string, number>>>(),
      'How many records it removes, by resource, where that was counted',
    ),
  },
});

export type Job = ObjectOf<typeof job.fields>;
