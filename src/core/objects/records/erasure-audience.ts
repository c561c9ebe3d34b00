/** Who has been notified of an erasure, and who sends its records again: members of an erasure and of its certificate. */
import { text } from '../../schema/fields/index.ts';
import { count, identifier, jsonTexts, openChoice } from '../kinds.ts';
import { arrayOf, field, given, nullable, type ObjectOf, ownObject } from '../own-object.ts';

const at = '2026-11-21T09:15:44Z';

const consumer = {
  consumer: field(
    text(),
    'The unique_identifier of a webhook endpoint, an API key or a person; `operator` for the command line',
    { example: 'whk_036Vq1rXbU9kTqPpLw3aZc' },
  ),
  status: field(
    openChoice(
      ...(['waiting', 'told', 'not_told', 'failed', 'removed', 'acknowledged'] as const),
      ...(['opened', 'exported'] as const),
    ),
    '`told`: an endpoint has answered 2xx, or a key has read on; `not_told`: the endpoint is paused or disabled; `failed`: it was tried for the last time; `removed`: the endpoint does not exist any more; `acknowledged`: the key says that it is done; `opened`: it has looked at a record; `exported`: it has exported, printed or read records of that kind while these were there, and may have a copy',
    { example: 'told' },
  ),
  told_at: nullable(text(), 'When it received the erasure, in UTC', { example: at }),
  acknowledged_at: nullable(text(), 'When it acknowledged the erasure, in UTC', { example: null }),
  seen_at: nullable(
    text(),
    'When it last saw or exported records, as far as the audit knows, in UTC',
    { example: null },
  ),
};

const sender = {
  by: field(text(), 'The unique_identifier of the API key or the person; `import` for files', {
    example: 'key_036Vq1rXbU9kTqPpLw3aZc',
  }),
  count: field(count(1), 'How often it was refused', { example: 3 }),
  first_at: field(text(), 'When it was first refused, in UTC', { example: at }),
  last_at: field(text(), 'When it was last refused, in UTC', { example: '2026-11-23T02:00:07Z' }),
};

export interface ErasureAudience {
  readonly consumers: readonly ObjectOf<typeof consumer>[];
  readonly consumers_count: number;
  readonly sent_again: readonly ObjectOf<typeof sender>[];
}

export const consumers = arrayOf('A system that follows the changes.', consumer);
const CONSUMERS =
  'Who has copies: webhook endpoints and API keys that follow the changes, and whether each has received the erasure; and, as far as the audit knows, who else has seen or exported the records, the latest 200';

const COUNT = 'How many consumers there are, as far as is known';

/** The members of an erasure. */
export const audienceFields = {
  consumers: given(consumers, CONSUMERS, { example: exampleOf(consumer) }),
  consumers_count: given(count(), COUNT, { example: 1 }),
  sent_again: given(
    arrayOf('Who sends erased records again.', sender),
    'Who still sends records that are erased: each of them was refused',
    { example: exampleOf(sender) },
  ),
};

/** The members of a certificate. */
export const certifiedConsumers = {
  consumers: field(consumers, CONSUMERS, { example: exampleOf(consumer) }),
  consumers_count: field(count(), COUNT, { example: 1 }),
};

export const erasureAcknowledgement = ownObject({
  name: 'erasure_acknowledgement',
  says: 'That a system has purged what it had of the records of an erasure.',
  fields: {
    erasure: field(identifier('ers_'), 'Identifies the erasure'),
    key: field(identifier('key_'), 'Who acknowledged it'),
    acknowledged_at: field(text(), 'When, in UTC', { example: at }),
  },
});

/** A list of one, with the examples of its members. */
export function exampleOf(fields: Readonly<Record<string, { readonly example?: unknown }>>): never {
  const members = Object.entries(fields).map(([name, { example }]) => [name, example ?? null]);
  return [Object.fromEntries(members)] as never;
}

const place = {
  place: field(
    openChoice(
      ...(['records', 'log', 'removed_records', 'answers', 'notes', 'search'] as const),
      'refused_rows',
    ),
    '`log`: earlier versions, from which repeated requests are answered, too; `answers`: what was stored for these before 1.1.0; `notes`: what people noted about the records, in follow-ups; `refused_rows`: of imports',
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
