/** A source: who sends records to an account, whatever keys they come with. */
import { text } from '../schema/fields/index.ts';
import { count, identifier, identifiers, time } from './kinds.ts';
import { derived, field, nullable, type ObjectOf, ownObject, ownTable } from './own-object.ts';
import { ACCOUNT_GOES } from './tables/declaration.ts';

export const MAX_SOURCE_NAME = 255;

const inside = { to: [] } as const;

export const source = ownObject({
  name: 'source',
  says: 'A source: a sender of records to an account, with one or more API keys.',
  path: '/v1/sources',
  table: 'source',
  key: ['number'],
  unique: { identifier: 'unique_identifier', name: 'of_account, name WHERE merged_into IS NULL' },
  goesWith: 'account',
  backup: 'sources',
  holds: 'Who sends records, by names that operators give',
  goes: ACCOUNT_GOES,
  content: 'name',
  printed: {
    columns: [
      ...['unique_identifier', 'name', 'keys', 'state'],
      ['SINCE', 'inserted_at'],
      'account',
    ],
    none: 'There are no sources: each is made when something is first sent.',
    told: ({ unique_identifier: id, name }: Readonly<Record<string, string>>) =>
      `${id} is called ${name}.`,
  },
  fields: {
    number: field(count(1), 'Its number in the rows of records', inside),
    unique_identifier: field(identifier('src_'), 'Identifier of the source'),
    account: field(identifier('acct_'), 'The account that it sends to', { column: 'of_account' }),
    name: field(text({ max: MAX_SOURCE_NAME }), 'What people call it; unique in the account', {
      example: 'Passare at Smith & Sons',
    }),
    keys: derived(
      identifiers('key_'),
      'The API keys that it sends with; of others only those that you may see',
      ({ keys = [] }: { readonly keys?: readonly string[] }) => [...keys],
    ),
    merged_into: nullable(count(1), 'The number of the source that it is part of', inside),
    inserted_at: field(time(), 'When it was first seen, in UTC', {
      example: '2026-11-20T14:30:00Z',
    }),
  },
});

export type StoredSource = ObjectOf<typeof source.fields>;

/** Writers that have one source in each account together, with its name. */
export const SHARED_WRITERS = {
  console: 'Console',
  imports: 'Imports',
  operator: 'Command line',
} as const;

/** The shared source of a kind of writer, by unique identifier; keys have sources of their own, and syncs those of keys. */
export function sharedWriterOf(by: string): keyof typeof SHARED_WRITERS | undefined {
  if (by.startsWith('key_') || by.startsWith('syn_')) return undefined;
  if (by.startsWith('stf_')) return 'console';
  return by.startsWith('imp_') ? 'imports' : 'operator';
}

export const sourceWriter = ownTable({
  table: 'source_writer',
  key: ['of_account', 'writer'],
  goesWith: 'account',
  backup: 'source_writers',
  holds: 'The keys that sources send with',
  goes: ACCOUNT_GOES,
  identifiers: 'writer',
  fields: {
    account: field(identifier('acct_'), 'The account', { column: 'of_account' }),
    writer: field(text(), 'An API key or an import; or `console`, `imports`, `operator`'),
    source: field(count(1), 'The number of the source'),
  },
});

/** Whose writes are those of a source: an API key or an import by its unique identifier, or one of `SHARED_WRITERS`. */
export type SourceWriter = ObjectOf<typeof sourceWriter.fields>;
