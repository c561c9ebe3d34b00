/** `ledgerstone follow-ups`: what somebody means to do about records, and what came of it. */
import { addDerived } from '../../cli/derived.ts';
import type { Command } from '../../cli/help.ts';
import { resources } from '../../core/registry.ts';
import { createQuery } from '../../records/query/query.ts';
import { operations } from './operations.ts';
import { serve } from './serves.ts';

export function add(program: Command): void {
  addDerived(program, {
    name: 'follow-ups',
    says: 'See and do what records ask for: calls, visits, letters',
    operations: operations(),
    open: (store) => {
      const parts = { store, resources, now: Date.now };
      return {
        services: { followUp: serve(parts).service, ...createQuery(store, resources, parts) },
      };
    },
    commands: {
      list: {
        says: 'List what is to be done about records, the first due first',
        examples: {
          '--state unfinished': 'See what is to be done',
          '--state open --region North': 'See what nobody has claimed',
        },
        none: 'There is nothing to do.',
        columns: ['unique_identifier', 'state', 'reason', 'due_at', 'owner', 'location', 'record'],
      },
      'show <id>': { says: 'Show a follow-up, with all attempts' },
      create: {
        says: 'Begin a follow-up of a record',
        examples: { '--record dmr_… --note "ask for the daughter"': 'For a mail reply' },
        prints: ({ unique_identifier, due_at }) => `${unique_identifier} is due at ${due_at}.`,
      },
      'claim <id>': {
        prints: (_, id) => `Claimed ${id}.`,
        examples: { 'fup_…': 'Before you call' },
      },
      'release <id>': { prints: (_, id) => `Released ${id}.`, examples: { 'fup_…': 'For others' } },
      'attempt <id>': {
        examples: { 'fup_… --channel call --outcome no_answer': 'When nobody answers' },
        prints: (_, id) => `Noted for ${id}.`,
      },
      'schedule <id>': {
        examples: { 'fup_… --next-at 2026-12-01T14:00:00Z': 'To try again' },
        prints: ({ next_at }, id) => `${id} is to be tried again at ${next_at}.`,
      },
      'close <id>': {
        examples: { 'fup_… --outcome appointment': 'When it is done' },
        prints: ({ outcome }, id) => `Closed ${id}: ${outcome}.`,
      },
      'reopen <id>': {
        examples: { 'fup_… --reason "they called us back"': 'When there is more to do' },
        prints: (_, id) => `Reopened ${id}.`,
      },
    },
  });
}
