/** The operations on erasures: a person asks to be forgotten, and is. */
import { present } from '../../core/objects/own-object.ts';
import { erasure } from '../../core/objects/records/erasure.ts';
import { erasureAcknowledgement } from '../../core/objects/records/erasure-audience.ts';
import type { Resource } from '../../core/schema/define.ts';
import {
  boolean,
  choice,
  date,
  datetime,
  email,
  list,
  object,
  optional,
  phone,
  required,
  text,
} from '../../core/schema/fields/index.ts';
import type { Kind } from '../../core/schema/fields/kind.ts';
import type { Members } from '../../core/schema/fields/members.ts';
import { LAST_IDENTIFIER } from '../../core/schema/id.ts';
import { parseStored } from '../../core/schema/json/json.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { copyLines } from '../../services/erasures/copy.ts';
import { detailsOf, type KnownName, look } from '../../services/erasures/look.ts';
import { missingAt } from '../../store/promises/refusals.ts';
import { type Operation, operation } from './operation.ts';
import { operationsOn } from './own.ts';

const MAX_SELECTORS = 20;
const MAX_RECORDS = 1_000;

const all = {
  tag: 'Erasures',
  needs: { permission: 'read', right: 'erase', whole: true },
} as const;
const on = operationsOn(erasure, all);
const id = { says: 'Identifies the erasure', prefix: 'ers_' } as const;
/** A person confirms it, and the audit has it before it is done. */
const CONFIRMED = { confirms: true, audits: 'erase' } as const;

const some = <T>(kind: Parameters<typeof list<T>>[0]) => list(kind, { min: 1, max: MAX_SELECTORS });

const name = object({
  full_name: required(text({ max: 200 }), 'The name: all words of it must be in a record'),
  birth_date: optional(date(), 'Date of birth'),
  service_date: optional(date(), 'Date of a service that the person was at'),
});
/** The name alone, too. */
const named: Kind<KnownName> = {
  ...name,
  schema: { anyOf: [name.schema, { type: 'string', minLength: 1, maxLength: 200 }] },
  samples: () => {
    const { accepted, refused } = name.samples();
    return {
      accepted: [{ send: 'Jane Doe', stored: { full_name: 'Jane Doe' } }, ...accepted],
      refused: refused.filter(({ send }) => typeof send !== 'string'),
    };
  },
  read: (sent, at, reading) =>
    name.read(typeof sent === 'string' ? { full_name: sent } : sent, at, reading),
};

const selectors = {
  account: required(text({}), 'unique_identifier of the account'),
  phone_numbers: optional(some(phone()), 'Phone numbers of the person, in E.164 form'),
  email_addresses: optional(some(email()), 'Email addresses of the person'),
  names: optional(
    some(named),
    'Names of the person. Where a record has one of the dates, too, its reason is `name_and_date`',
    [{ full_name: 'Jane Doe', birth_date: '1948-05-17', service_date: '2026-03-14' }],
  ),
  records: optional(
    list(text({}), { min: 1, max: MAX_RECORDS }),
    'unique_identifiers of records that are known to be of the person, also of removed ones',
  ),
  reference: optional(text({ max: 200 }), 'What you call the request; no name'),
  received_at: optional(datetime(), 'When the person asked; now where it is left out'),
} as const satisfies Members;

export function erasureOperations(resources: readonly Resource[]): readonly Operation[] {
  const [root] = resources;
  if (root === undefined) throw new TypeError('There are no resources.');
  return [
    on.create({
      name: 'begin_erasure',
      audits: 'search',
      summary: 'Begin an erasure',
      description:
        'Looks for the records of a person who asks to be forgotten, and answers them as `matches`: by phone numbers and email addresses in their own fields, by names as search finds them, and by identifiers. What has no index is looked through meanwhile, and what is found there is added: earlier versions, removed records, free-form text, and refused rows of imports. `looked` is `everywhere` when that is through. Nothing is erased yet. What you send of the person is stored encrypted, until the erasure ends.',
      body: selectors,
      sends: { account: 'acct_036Vq1rXbU9kTqPpLw3aZc', phone_numbers: ['+14155550123'] },
      check: (values, faults) => {
        const { phone_numbers, email_addresses, names, records } = values;
        if (
          (phone_numbers ?? email_addresses ?? names ?? records ?? null) === null &&
          faults.count === 0
        )
          faults.add(
            undefined,
            'parameter_missing',
            'Send at least one of phone_numbers, email_addresses, names and records.',
          );
      },
      errors: ['resource_missing', 'matches_too_many', 'erasures_too_many', 'erasures_exhausted'],
      run: async ({ erasures, search, store }, { caller, params }) => {
        const { account, reference = null, received_at, ...sent } = params();
        if (!caller.scope.accounts.has(account)) throw missingAt('account', root.shape, account);
        const matches = await look({ store, resources, search, caller, account }, sent);
        const at = received_at ? Date.parse(received_at) : undefined;
        return erasures.begin(caller, {
          account,
          reference,
          received_at: at,
          matches,
          details: detailsOf(sent),
        });
      },
    }),
    on.list({
      audits: 'list',
      description: 'The erasures of the accounts of the key, newest first.',
      limit: 50,
      query: {
        open: optional(
          boolean(),
          '`true`: only those that are to do, which are `ready`, `running` or `waiting`; `false`: only those that ended',
        ),
      },
      find: ({ erasures }, { caller }, { open, after: before = LAST_IDENTIFIER, limit }) =>
        erasures.list(caller, { open, before, limit }),
    }),
    on.get({
      audits: 'read',
      description: 'Answers what was found, and what became of it.',
      run: ({ erasures }, { caller, id }) => erasures.find(caller, id),
    }),
    operation({
      ...all,
      id,
      name: 'copy_erasure',
      audits: 'export',
      route: 'GET /v1/erasures/:unique_identifier/copy',
      summary: 'Copy what was found',
      description:
        'Answers what its matches hold, and held, as lines: for a person who wants to know. Read them first: not every match needs to be of that person.',
      answers: {
        schema: 'Erasure',
        says: 'The erasure.',
        lines:
          'For each match a line with its `resource`, `record`, `reasons`, and what it holds as `data`, `null` if it was removed; then a line for each of our own objects about it, as `about`, such as a follow-up with its notes; and one for each of its changes, as `change`, the newest first.',
      },
      errors: ['resource_missing'],
      rows: ({ erasures, find, history }, { caller, id, timing, done, grants }) => {
        let now = caller;
        const copy = async function* () {
          const { account, matches } = await erasures.find(caller, id);
          done({ unique_identifier: id, account });
          await grants(account, 'export');
          const parts = {
            ...{ resources, query: { find, history }, timing, caller: async () => now },
            about: (record: string) => erasures.about(account, record),
          };
          yield* copyLines(parts, matches);
        };
        const read = copy();
        return {
          next: async (principal) => {
            now = principal;
            const { value } = await read.next();
            return value?.map((line) => parseStored(line) as JsonObject).values();
          },
        };
      },
    }),
    on.act('run', {
      ...CONFIRMED,
      summary: 'Erase records',
      description:
        'Erases the matches that you name, for good: the record, its history, what requests were answered with it, and rows of imports that hold something of it. Systems that follow the changes are told `deleted`. From then on the record is 410 `record_erased`, also for what sends it again. What other records belong to is erased after those: name them, too, or it is in `left`. It may be repeated, and goes on where it was interrupted.',
      body: {
        records: required(
          list(text({}), { min: 0, max: MAX_RECORDS }),
          'unique_identifiers of the matches to erase; none erases refused rows of imports alone',
        ),
        keep: optional(
          choice('current'),
          '`current`: what they hold now stays, and only what they held before goes',
        ),
      },
      sends: { records: ['ecr_036Vq1rXbU9kTqPpLw3aZc'] },
      errors: ['resource_missing', 'value_invalid', 'erasure_closed', 'erasure_keyless'],
      run: ({ erasures }, { caller, id, params }) => {
        const { records, keep } = params();
        return erasures.run(caller, id, records, keep === 'current');
      },
    }),
    on.act('close', {
      ...CONFIRMED,
      summary: 'Close an erasure',
      description: 'Says why nothing more is erased, such as a law that wants the rest kept.',
      body: {
        basis: required(text({ max: 500 }), 'Why; no name', 'arrangements are kept one year'),
      },
      errors: ['resource_missing', 'erasure_running'],
      run: ({ erasures }, { caller, id, params }) => erasures.close(caller, id, params().basis),
    }),
    on.act('lift', {
      ...CONFIRMED,
      summary: 'Let an erased record be sent again',
      description:
        'For a record that was erased by mistake. What it held is gone, and comes back only when its sender sends it again.',
      body: { record: required(text({}), 'unique_identifier of the erased record') },
      sends: { record: 'ecr_036Vq1rXbU9kTqPpLw3aZc' },
      run: ({ erasures }, { caller, id, params }) => erasures.lift(caller, id, params().record),
    }),
    operation({
      ...all,
      id,
      name: 'get_erasure_certificate',
      route: 'GET /v1/erasures/:unique_identifier/certificate',
      summary: 'Get the certificate of an erasure',
      description:
        'Answers what was done, as of now: the request, its dates, the erased records by resource, what waits and why, and until when backups can hold them. It has nothing of the person, and a seal that only the key of the service can make: `ledgerstone erasures verify` checks it.',
      answers: { schema: 'ErasureCertificate', says: 'The certificate.' },
      errors: ['resource_missing', 'erasure_keyless'],
      run: async ({ erasures }, { caller, id }) => erasures.certificate(caller, id),
    }),
    operation({
      tag: 'Erasures',
      id,
      needs: { permission: 'read' },
      keysOnly: true,
      uncommanded: 'The program that had the records says it, with its own key.',
      name: 'acknowledge_erasure',
      route: 'POST /v1/erasures/:unique_identifier/acknowledge',
      summary: 'Acknowledge an erasure',
      description:
        'Says that your system has purged what it had of the erased records: history, caches, search and backups. For systems that are told of changes by neither webhooks nor the feed, and for all that want to say so: the erasure and its certificate show it. Any key of the account acknowledges for itself. `erasure` of an `erased` change names the erasure.',
      answers: { schema: 'ErasureAcknowledgement', says: 'The acknowledgement.' },
      errors: ['resource_missing'],
      refusesIdempotencyKey: 'It may be repeated: send the request without an Idempotency-Key.',
      run: async ({ erasures }, { caller, id, params }) => {
        params();
        const found = await erasures.find(caller, id);
        const at = await erasures.consumers.acknowledge(found, caller.key);
        const done = { erasure: id, key: caller.key, acknowledged_at: presentTime(at) };
        return present(erasureAcknowledgement, done, 'api', 0);
      },
    }),
  ];
}
