/** The proof of an erasure: every place that was read again. */
import { count, jsonTexts, openChoice } from '../kinds.ts';
import { arrayOf, field, type ObjectOf } from '../own-object.ts';

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

export const proofFields = {
  places: field(
    arrayOf('A place that was read again.', place),
    'Every place that the service can read, read again after the records were erased',
    { example: [{ place: 'log', checked: 4, found: 0 }] as never },
  ),
  image_hosts: field(
    jsonTexts(),
    'The hosts of images of the erased records: nobody but they can remove the images',
    { example: ['images.example.com'] },
  ),
};

export const UNPROVED = { places: [], image_hosts: [], traces: null } as const;
