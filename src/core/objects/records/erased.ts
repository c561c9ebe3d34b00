/** Tables of erased records: nothing of what they held, but by what they are known when they are sent again. */
import { text } from '../../schema/fields/index.ts';
import { count, flag, identifier, openChoice, resourceName, time } from '../kinds.ts';
import { field, nullable, ownTable } from '../own-object.ts';

export const erased = ownTable({
  table: 'erased',
  key: ['account', 'record'],
  indexes: {
    probe: 'account, probe',
    mark: 'account, mark',
    erasure: 'erasure',
    parent: 'parent, resource',
    unforgotten: 'account, record WHERE unforgotten > 0',
    untold: 'erased_at WHERE line = 0',
  },
  goesWith: 'account',
  backup: 'erased',
  holds: 'Erased records: keyed hashes, by which they are refused when they are sent again',
  goes: 'When the account is removed, or it may be sent again',
  identifiers: 'probe mark',
  nothing: 'key',
  fields: {
    account: field(identifier('acct_'), 'The account'),
    record: field(identifier('ecr_'), 'The record'),
    resource: field(resourceName(), 'Its resource'),
    anchor: nullable(identifier('loc_'), 'Its location'),
    parent: field(identifier('evt_'), 'What it belonged to'),
    erasure: field(identifier('ers_'), 'The erasure'),
    erased_at: field(time(), 'When it was erased'),
    key: field(
      text(),
      'The name of the key of both hashes; empty: it has none, and may be made again',
    ),
    probe: field(text(), 'Hash of resource and external identifier'),
    mark: field(
      text(),
      'Hash of its resource, of all that it belonged to, and of its external identifier',
    ),
    unforgotten: field(
      count(),
      'Position of its newest change that the log may hold content of; 0: none',
    ),
    line: field(
      count(-1),
      'The line of the journal that tells of it; 0: none yet; -1: none is to',
      { initial: 0 },
    ),
    position: field(count(), 'Of its last change; 0: another store erased it', { initial: 0 }),
  },
});

export const erasureJournal = ownTable({
  table: 'erasure_journal',
  key: ['line'],
  indexes: { unapplied: 'line WHERE NOT applied' },
  backup: 'erasure_journal',
  holds: 'The journal of erasures, by which erased records stay erased after a restore',
  goes: 'Never: it has to outlive every backup. It holds identifiers and keyed hashes, as `erased` does',
  identifiers: 'text',
  fields: {
    line: field(count(1), '1, 2, 3, …'),
    text: field(text(), 'As in the file'),
    applied: field(
      flag(),
      'False: taken from a file since the store was set back, and not done yet',
    ),
  },
});

export const erasureNote = ownTable({
  table: 'erasure_note',
  key: ['erasure', 'kind', 'about'],
  indexes: {
    account: 'of_account, erasure',
    waiting: "erasure, about WHERE kind = 'told' AND state IN ('waiting', 'not_told', 'failed')",
  },
  goesWith: 'account',
  backup: 'erasure_notes',
  ends: true,
  holds: 'Which systems have received an erasure, and which still send its records',
  goes: 'After 27 months, or when the account is removed',
  identifiers: 'about',
  nothing: 'state',
  fields: {
    account: field(identifier('acct_'), 'The account', { column: 'of_account' }),
    erasure: field(identifier('ers_'), 'The erasure'),
    kind: field(openChoice('told', 'acknowledged', 'copied', 'sent_again'), 'What it notes'),
    about: field(text(), 'The endpoint, or who calls'),
    state: field(
      text(),
      'Of a system that follows the changes: `waiting`, `told`, `not_told`, `failed` or `removed`; of one that may have copies: `opened` or `exported`; otherwise empty',
    ),
    reached: field(identifier('chg_'), 'The last change to be told of; otherwise empty'),
    count: field(
      count(),
      'How often it was refused; of `copied`, how many of these there are, noted or not',
    ),
    first_at: field(time(), 'When it was first'),
    last_at: field(time(), 'When it was last notified or refused; 0: never'),
  },
});

export const follower = ownTable({
  table: 'follower',
  key: ['of_account', 'key'],
  goesWith: 'account',
  holds: 'API keys that follow the changes, and how far each has read',
  goes: 'After 30 days without a read',
  fields: {
    account: field(identifier('acct_'), 'The account', { column: 'of_account' }),
    key: field(identifier('key_'), 'The key'),
    reached: field(identifier('chg_'), 'The change after which it has read last'),
    at: field(time(), 'When that was'),
  },
});
