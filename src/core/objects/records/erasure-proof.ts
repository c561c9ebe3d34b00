/** The proof of an erasure: every place that was read again, and the search of the store's files for single bytes. */
import { count, json, openChoice, time } from '../kinds.ts';
import { arrayOf, field, nullable, type ObjectOf } from '../own-object.ts';

const place = {
  place: field(
    openChoice('records', 'log', 'removed_records', 'answers', 'search', 'refused_rows'),
    '`log`: earlier versions; `answers`: for repeated requests with an `Idempotency-Key`; `refused_rows`: of imports',
    { example: 'log' },
  ),
  checked: field(
    count(),
    'How many were read again: erased records, their changes in the log, or imports',
    { example: 4 },
  ),
  found: field(count(), 'How many of them still hold something; before `done` it is 0', {
    example: 0,
  }),
};

export type ErasurePlace = ObjectOf<typeof place>;

const at = '2026-11-21T09:17:03Z';

/** Members of an erasure and of its certificate. */
export const proofFields = {
  places: field(
    arrayOf('A place that was read again.', place),
    'Every place that the service can read, read again after the records were erased',
    { example: [{ place: 'log', checked: 4, found: 0 }] as never },
  ),
  physical: nullable(
    openChoice('waiting', 'clean', 'copies_found', 'not_searched'),
    'What a search of the bytes of the SQLite files for what the records held has found. `copies_found`: SQLite left a copy in an unused part of a file, which `ledgerstone compact` removes, and the service then searches again; `not_searched`: on PostgreSQL, if the key was lost, or if a restored store did not have the records; null: nothing was erased yet',
    { example: 'clean' },
  ),
  physical_at: nullable(time(), 'When the search found no copy, in UTC; null: not yet, or never', {
    example: at,
  }),
  image_hosts: field(
    json<readonly string[]>({ type: 'array', items: { type: 'string' } }),
    'The hosts of images of the erased records: nobody but they can remove the images',
    { example: ['images.example.com'] },
  ),
};

/** Before anything is erased. */
export const UNPROVED = {
  ...{ places: [], image_hosts: [] },
  ...{ physical: null, physical_at: null, traces: null },
} as const;
