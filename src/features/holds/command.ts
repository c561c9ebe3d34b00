/** `ledgerstone holds`: keeps records from being forgotten, and releases them. */
import { addDerived } from '../../cli/derived.ts';
import type { Command } from '../../cli/help.ts';
import { resources } from '../../core/registry.ts';
import { operations } from './operations.ts';
import { serve } from './serves.ts';

export function add(program: Command): void {
  addDerived(program, {
    name: 'holds',
    says: 'Keep records from being removed, erased or forgotten by age, and release them',
    operations: operations(),
    open: (store) => ({ services: { holds: serve({ store, resources, now: Date.now }).service } }),
    commands: {
      place: {
        of: 'place_hold',
        says: 'Keep a record and all that belongs to it, also what arrives later; without --record, the whole account',
        examples: {
          '--account acct_… --record evt_… --matter "Case 2026-118"': 'A service with its visitors',
          '--account acct_… --matter "Case 2026-118" --until 2028-01-01':
            'A whole account, until a day',
        },
        prints: ({ unique_identifier, record }) => `${unique_identifier} keeps ${record}.`,
      },
      list: {
        says: 'List the holds of all accounts, newest first, released ones too',
        examples: { '': 'See what is held', '--record evt_…': 'See what keeps a record' },
        none: 'Nothing is held.',
        columns: [
          'unique_identifier',
          'status',
          'until',
          'resource',
          'record',
          ['PLACED', 'inserted_at'],
          'matter',
        ],
      },
      'show <id>': { says: 'Show a hold: what it keeps, why, and who placed and released it' },
      'release <id>': {
        says: 'Release a hold: what waited for it, such as an erasure, goes on',
        examples: { 'hld_… --reason "the case is closed"': 'When a case ends' },
        prints: (_, id) => `Released ${id}.`,
      },
    },
  });
}
