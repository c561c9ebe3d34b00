/** `ledgerstone proposals`: decides what sources propose for what staff corrected, and ends pins. */
import { Option } from 'commander';
import type { Pin, Proposal } from '../../../client/src/generated/objects.d.ts';
import { resourceOf, resources } from '../../core/registry.ts';
import { proposalOperations } from '../../edge/operations/proposals.ts';
import { operatorOf } from '../../records/auth/principal.ts';
import type { CommandOperation } from '../derived/performer.ts';
import { type At, addDerived } from '../derived.ts';
import type { Command } from '../help.ts';
import { plain } from '../output.ts';

const says = (does: string) => (one: Proposal) =>
  plain(`${one.resource} ${one.record} ${does} ${one.member}.`);

const operations = proposalOperations(resources);

/** The operations of which each resource has its own. */
const RECORD = { says: 'Identifies the record', prefix: 'evt_' };
const ONE = '/v1/records/:unique_identifier/pins';
const OF_RECORDS: readonly CommandOperation[] = [
  { name: 'pins', route: `GET ${ONE}`, id: RECORD },
  { name: 'unpin', route: `DELETE ${ONE}/:member`, id: RECORD },
];

/** The operation on the pins of the record that the command names. */
function ofRecord({ id, missing }: At, nameOf: (resource: string) => string): string {
  const found = operations.find(({ name }) => name === nameOf(resourceOf(id)?.name ?? ''));
  if (found === undefined) throw missing('record');
  return found.name;
}

export function addProposals(program: Command): void {
  addDerived(program, {
    name: 'proposals',
    says: 'See what staff corrected and what sources propose instead, and decide',
    one: 'proposal',
    operations: [...OF_RECORDS, ...operations],
    takes: ['proposals', 'ingest'],
    // Who decides does what staff do.
    callerOf: async (_store, _command, accounts) => {
      const operator = operatorOf(await accounts());
      return { ...operator, allow: new Set([...operator.allow, 'pin']) };
    },
    commands: {
      list: {
        says: 'List open proposals: other values that sources sent for what staff corrected',
        flags: { status: false },
        examples: { '--account acct_…': 'See what is to be decided' },
        columns: [
          ...['unique_identifier', 'resource', 'record', 'name', 'member'],
          ['STORED', ({ stored }: Proposal) => JSON.stringify(stored)],
          ['PROPOSED', ({ proposed }: Proposal) => JSON.stringify(proposed)],
        ],
      },
      'show <id>': {
        says: 'Show an open proposal: both values, who sent one and who entered the other',
        examples: { 'prp_…': 'See all about one proposal' },
      },
      'accept <id>': {
        says: 'Store the value that the source sent; from now on the source decides',
        examples: { 'prp_…': 'When the source is right' },
        prints: says('takes what the source sends for'),
      },
      'keep <id>': {
        says: 'Leave the record as it is; the same value is not proposed again',
        examples: { 'prp_…': 'When staff are right' },
        prints: says('stays as staff entered'),
      },
      'pins <record>': {
        of: 'pins',
        says: 'List what staff corrected in a record, and what the source had supplied',
        examples: { 'evt_…': 'See what sources no longer overwrite' },
        none: 'Nothing in it is pinned.',
        runs: async (at) => {
          const name = ofRecord(at, (resource) => `list_${resource}_pins`);
          return (await at.call<{ readonly data: readonly Pin[] }>(name)).data;
        },
        columns: [
          'member',
          ['STORED', ({ stored }: Pin) => JSON.stringify(stored)],
          ['SUPPLIED', ({ supplied }: Pin) => JSON.stringify(supplied)],
          ...['pinned_at', 'pinned_by', 'proposal'],
        ],
      },
      'unpin <record>': {
        of: 'unpin',
        says: 'Let the source decide about a member of a record: the next value that it sends is stored',
        options: [
          new Option(
            '--member <name>',
            'Its dotted name, such as event_name',
          ).makeOptionMandatory(),
        ],
        examples: { 'evt_… --member event_name': 'When the source is right by now' },
        runs: (at) =>
          at.call(
            ofRecord(at, (resource) => `delete_${resource}_pin`),
            { inPath: { member: String(at.options.member) } },
          ),
        prints: (_, id, { options }) =>
          plain(`${id} takes what the source sends for ${options.member}.`),
      },
    },
  });
}
