/** The certificate of an erasure: what was done for a person, with nothing of the person, sealed against changes. */
import { text } from '../../schema/fields/index.ts';
import { count, identifier, json, jsonTexts, openChoice, resourceName, time } from '../kinds.ts';
import { arrayOf, field, nullable, type ObjectOf, objectOf, ownObject } from '../own-object.ts';
import { erasure } from './erasure.ts';
import { certifiedConsumers, exampleOf, proofFields } from './erasure-audience.ts';

const erased = {
  resource: field(resourceName(1), 'The resource of the records', {
    example: 'event_check_in_record',
  }),
  count: field(count(1), 'How many of them are erased', { example: 2 }),
  first_at: field(text(), 'When the first was erased, in UTC', { example: '2026-11-21T09:15:42Z' }),
  last_at: field(text(), 'When the last was erased, in UTC', { example: '2026-11-21T09:15:43Z' }),
};

const backup = {
  what: field(
    openChoice('continuous', 'file'),
    '`continuous`: a folder that follows the store; `file`: a backup that `backup` wrote',
    { example: 'continuous' },
  ),
  until: nullable(
    text(),
    'The last date, in UTC, on which it can still hold the records; null: as long as the operator keeps it',
    { example: '2026-12-22T09:15:43Z' },
  ),
};

const head = {
  chain: field(text(), 'The chain of entries', { example: '2026-11-20-4fQz81LmWx' }),
  number: field(count(1), 'How many entries it had', { example: 17 }),
  mac: field(text(), 'The `mac` of the last one', {
    example: 'kq0mZ6hV2sQf7b1xw9cJ3tY8uN5rLdAeGiKoPzXyBvM',
  }),
};

const TEXTS = { type: 'object', additionalProperties: { type: 'string' } };
const seal = {
  key: field(text(), 'Names the key, which only the service has'),
  members: field(
    json<Readonly<Record<string, string>>>(TEXTS),
    'A keyed hash of each member, so that what was changed can be named',
  ),
  whole: field(text(), 'A keyed hash of all members together'),
};

export type Seal = ObjectOf<typeof seal>;

const journal = {
  line: field(count(1), 'Its number', { example: 17 }),
  mac: field(text(), 'Its keyed hash, which chains it to all lines before', {
    example: 'q5Yw0cVt7Jd2Kx9RmLzE3uFhNsAoGbPiT1CvQe4Xy8M',
  }),
};

const { account, reference, received_at, due_at, status, basis, left } = erasure.fields;

export const erasureCertificate = ownObject({
  name: 'erasure_certificate',
  says: 'The certificate of an erasure. It holds nothing of the person. `ledgerstone erasures verify` checks its seal without a connection.',
  fields: {
    erasure: field(identifier('ers_'), 'Identifies the erasure'),
    account,
    status,
    reference,
    received_at,
    due_at,
    issued_at: field(time(), 'When this certificate was made, in UTC', {
      example: '2026-11-22T08:00:00Z',
    }),
    records: field(arrayOf('Erased records of a resource.', erased), 'What is erased', {
      example: exampleOf(erased),
    }),
    left: { ...left, says: 'What was chosen and is not erased, each with why' },
    basis,
    ...proofFields,
    files: field(
      openChoice('overwritten', 'postgresql'),
      '`overwritten`: SQLite overwrites in its file what is removed, but for copies in pages that it moved content from, which `ledgerstone compact` removes; `postgresql`: its files hold what is removed until they are vacuumed',
      { example: 'overwritten' },
    ),
    rewritten_at: nullable(
      time(),
      'When `ledgerstone compact` last rewrote the file of a store on SQLite, in UTC: no file holds what was erased before; null: never, or on PostgreSQL',
      { example: '2026-11-21T22:00:00Z' },
    ),
    out_of_reach: field(
      jsonTexts(),
      'Where copies can be that the service does not reach, in English',
      { example: ['backups, copies and snapshots from before'] },
    ),
    out_of_reach_codes: field(jsonTexts(), 'Codes of those places, in their order', {
      example: ['backups'],
    }),
    ...certifiedConsumers,
    journal: nullable(
      objectOf(journal),
      'The last line of the journal of erasures when this certificate was made',
      { example: null },
    ),
    backups: field(
      arrayOf('Backups from before.', backup),
      'Backups that can still hold the records: they are never rewritten',
      { example: exampleOf(backup) },
    ),
    audit_head: field(
      arrayOf('The end of a chain of the audit.', head),
      'The ends of the chains of the audit of this day and the last: entries that are cut off later are missed by `ledgerstone audit verify --head`',
      { example: exampleOf(head) },
    ),
    seal: field<Seal | null>(objectOf(seal), 'Keyed hashes of the members', {
      example: {
        key: 'q1Zx9-Lm',
        members: { records: '9vTq0sJb3Xn5Kc2LdYwEhA' },
        whole: 'Zk4mQe7RtB1xWc8Vn0LpUg',
      },
    }),
  },
});

export type CertificateContent = ObjectOf<typeof erasureCertificate.fields>;
