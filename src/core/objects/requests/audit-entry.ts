/** An entry of the audit: who saw or did what, and when. It has identifiers and counts, and nothing of what was seen. */
import { featureActions } from '../../../features/declares.ts';
import { text } from '../../schema/fields/index.ts';
import {
  blankable,
  checksum,
  count,
  identifier,
  instant,
  openChoice,
  resourceName,
} from '../kinds.ts';
import {
  field,
  nullable,
  type ObjectOf,
  optional,
  ownColumns,
  ownObject,
  secret,
} from '../own-object.ts';

/** The action. Writes of records are in the log of changes. */
export const AUDIT_ACTIONS = [
  ...(['read', 'history', 'image', 'list', 'search', 'export', 'print'] as const),
  ...(['sign_in', 'administer', 'erase', 'command', 'refused', 'reads'] as const),
  ...featureActions,
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

const hidden = { to: [] };

export const auditEntry = ownObject({
  name: 'audit_entry',
  says: 'Who saw or did something, and when. It has identifiers and counts, and nothing of what was seen.',
  path: '/v1/audit',
  table: 'audit_entry',
  key: ['chain', 'number'],
  indexes: {
    time: 'time, unique_identifier',
    account: 'of_account, time, unique_identifier',
    action: 'of_account, action, time, unique_identifier',
    key: 'key, of_account, time, unique_identifier',
    record: 'record, of_account, time, unique_identifier',
    begins: 'written_at WHERE number = 1',
    reads: "time WHERE action = 'reads'",
  },
  unique: { identifier: 'unique_identifier' },
  backup: 'audit',
  ends: true,
  holds:
    'Who saw or did what, without anything of what was seen. It stays when an account or a person is removed: its chains end otherwise',
  goes: 'After `AUDIT_DAYS`',
  identifiers: 'address',
  nothing: 'what chain mac',
  since: (moment) => `written_at > ${moment}`,
  fields: {
    unique_identifier: field(identifier('aud_'), 'Identifies the entry'),
    time: field(instant(), 'When it was done', { example: '2026-11-20T14:30:00.125Z' }),
    account: optional(
      blankable(identifier('acct_')),
      'The account; omitted if it concerns several, or none is known',
      { column: 'of_account' },
    ),
    by: optional(
      blankable(identifier('stf_')),
      'Who did it: a person, an API key, or `operator` on the command line; omitted if it is not known, or several did',
      { column: 'key' },
    ),
    action: field(
      openChoice<AuditAction>(...AUDIT_ACTIONS),
      'What was done; `refused`: what an entry before names was not done, because it was refused; `reads`: how much a key read in the hour from that time on',
      { example: 'read' },
    ),
    resource: nullable(resourceName(), 'The resource', {
      leftOut: true,
      example: 'event_check_in_record',
    }),
    record: optional(
      blankable(identifier('ecr_')),
      'The unique_identifier of what was read or changed: a record, or one of our own objects; of a `list` of what belongs to a service, the service; of `reads`, the location',
    ),
    what: nullable(
      text(),
      'More of the action: the kind of a search, the method of a sign-in, the operation, the command',
      { leftOut: true, seldom: true, example: 'phone_number' },
    ),
    count: field(count(1), 'How often; more than 1 where entries were gathered', { example: 1 }),
    address: nullable(text(), 'The network address of the caller', {
      leftOut: true,
      example: '203.0.113.7',
      personal: true,
    }),
    request_id: nullable(identifier('req_'), 'The `Request-Id` of the answer', { leftOut: true }),
    chain: field(text(), 'The chain of entries that it is part of: each process has its own', {
      example: '2026-11-20-4fQz81LmWx',
    }),
    number: field(count(1), 'Its number in the chain: 1, 2, 3, …', { example: 17 }),
    mac: field(
      text(),
      'HMAC-SHA256 of the `mac` of the entry before it and of this entry, as base64url',
      { example: 'kq0mZ6hV2sQf7b1xw9cJ3tY8uN5rLdAeGiKoPzXyBvM' },
    ),
    written_at: field(instant(), 'When it was written', hidden),
    sum: secret(checksum(), 'CRC-32 of the other columns', { orNull: true }),
  },
});

/** Times are milliseconds since 1970. */
export type AuditEntry = ObjectOf<typeof auditEntry.fields>;

/** An entry before it has its place in a chain. */
export type AuditFacts = Partial<
  Pick<
    AuditEntry,
    'account' | 'by' | 'resource' | 'record' | 'what' | 'count' | 'address' | 'request_id'
  >
> & { readonly action: AuditAction };

export type AuditHead = Pick<AuditEntry, 'chain' | 'number' | 'mac' | 'time'>;

const SEALED = ownColumns(auditEntry)
  .filter(({ field: { is } }) => is !== 'secret')
  .map(({ member }) => member as keyof AuditEntry)
  .filter((member) => member !== 'mac');

/** All of an entry that its `mac` covers, as text. */
export function sealedText(entry: Omit<AuditEntry, 'mac'>): string {
  return JSON.stringify(SEALED.map((member) => entry[member as keyof typeof entry]));
}
