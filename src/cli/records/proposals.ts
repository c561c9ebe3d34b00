/** `ledgerstone proposals`: decides what sources propose for what staff corrected. */
import type { Proposal } from '../../../client/src/generated/objects.d.ts';
import { createPageReads } from '../../core/fair/page-reads.ts';
import { resources } from '../../core/registry.ts';
import { proposalOperations } from '../../edge/operations/proposals.ts';
import { operatorOf } from '../../records/auth/operator.ts';
import { createProposals } from '../../records/corrections/proposals.ts';
import { createIngest } from '../../records/ingest/ingest.ts';
import { addDerived } from '../derived.ts';
import { allAccounts } from '../found.ts';
import type { Command } from '../help.ts';
import { plain } from '../output.ts';

const says = (does: string) => (one: Proposal) => [
  plain(`${one.resource} ${one.record} ${does} ${one.member}.`),
];

export function addProposals(program: Command): void {
  addDerived(program, {
    name: 'proposals',
    says: 'See what sources propose for what staff corrected, and decide',
    one: 'proposal',
    operations: proposalOperations(resources),
    open: async (store) => {
      const operator = operatorOf(await allAccounts(store));
      return {
        // Who decides does what staff do.
        caller: { ...operator, allow: new Set([...operator.allow, 'pin']) },
        services: {
          proposals: createProposals(store, resources, createPageReads()),
          decide: createIngest(store, { resources, now: Date.now }).decide,
        },
      };
    },
    commands: {
      list: {
        says: 'List open proposals: other values that sources sent for what staff corrected',
        flags: { status: false },
        examples: [['--account acct_…', 'See what is to be decided']],
        columns: [
          ...['unique_identifier', 'resource', 'record', 'name', 'member'],
          ['STORED', ({ stored }: Proposal) => JSON.stringify(stored)],
          ['PROPOSED', ({ proposed }: Proposal) => JSON.stringify(proposed)],
        ],
      },
      'show <id>': {
        says: 'Show an open proposal: both values, who sent one and who entered the other',
        examples: [['prp_…', 'See all about one proposal']],
      },
      'accept <id>': {
        says: 'Store the value that the source sent; from now on the source decides',
        examples: [['prp_…', 'When the source is right']],
        prints: says('takes what the source sends for'),
      },
      'keep <id>': {
        says: 'Leave the record as it is; the same value is not proposed again',
        examples: [['prp_…', 'When staff are right']],
        prints: says('stays as staff entered'),
      },
    },
  });
}
