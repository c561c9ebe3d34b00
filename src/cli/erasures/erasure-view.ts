/** Erasures as commands print them. */
import type { Erasure } from '../../../client/src/generated/objects.d.ts';
import { titlesAmong } from '../../app/titles.ts';
import { resources } from '../../core/registry.ts';
import type { Store } from '../../store/promises/store.ts';
import { align, count, type ListColumns, table } from '../output.ts';
import { createWho } from '../records/who.ts';

export const COLUMNS: ListColumns = [
  'unique_identifier',
  'status',
  ['DUE', (one: Erasure) => dueOf(one, Date.now())],
  ['FOUND', (one: Erasure) => one.matches.length],
  ...['erased', 'account', 'reference'],
];
const CONSUMERS = ['CONSUMER', 'STATUS', 'TOLD', 'ACKNOWLEDGED', 'SAW IT LAST', 'NAME'];
const SENDERS = ['SENT AGAIN BY', 'TIMES', 'FIRST', 'LAST', 'NAME'];
const MATCHES = ['RECORD', 'RESOURCE', 'FOUND BY', 'STATE', 'NAME'];

const LOOKED: Readonly<Record<string, string>> = {
  index: 'by index; the running service looks through the rest',
  too_many: 'until 1,000 records were found: begin another with a less common name',
};

const RUNNING =
  'running: the service ends it, once all copies of the journal of erasures have its lines';

function dueOf({ due_at, status }: Erasure, now: number): string {
  const isOpen = status !== 'done' && status !== 'closed';
  return `${due_at.slice(0, 10)}${isOpen && Date.parse(due_at) < now ? ' (overdue)' : ''}`;
}

/** Names of records are there for people alone, who choose by them. */
export async function erasureLines(
  store: Store,
  one: Erasure,
  now: number,
): Promise<readonly string[]> {
  const { unique_identifier: id, matches, records, past_only, left, status } = one;
  const scope = { accounts: new Set([one.account]), anchors: undefined };
  const found = matches.map(({ record }) => record);
  const names = await titlesAmong(store, resources, found, scope);
  const chosen = new Set(records);
  const codes = new Map(left.map(({ record, code }) => [record, code]));
  const stateOf = (record: string): string => {
    const code = codes.get(record);
    if (code !== undefined) return `left: ${code}`;
    if (!chosen.has(record)) return '-';
    if (status === 'running') return 'chosen';
    return past_only.includes(record) ? 'past erased' : 'erased';
  };
  const rows = matches.map(({ record, resource, reasons }) => [
    ...[record, resource, reasons.join(', '), stateOf(record), names.get(record) ?? '-'],
  ]);
  return [
    ...align([
      ['Erasure', id],
      ['Account', one.account],
      ['Status', status === 'running' ? RUNNING : status],
      ['Received', one.received_at],
      ['Due', dueOf(one, now)],
      ...(one.reference === null ? [] : [['Reference', one.reference]]),
      ...(one.basis === null ? [] : [['Basis', one.basis]]),
      ['Looked', LOOKED[one.looked] ?? one.looked],
      ...(one.refused_rows === 0 ? [] : [['Refused rows', String(one.refused_rows)]]),
      ...(one.named_in.length === 0 ? [] : [['Named in', one.named_in.join(', ')]]),
      ['Erased', count(one.erased, 'record')],
      ...(one.image_hosts.length === 0 ? [] : [['Images at', one.image_hosts.join(', ')]]),
    ]),
    '',
    ...(rows.length === 0 ? ['Nothing was found.'] : table(MATCHES, rows)),
    ...(await notifiedLines(store, one)),
  ];
}

/** Who has been notified, and who still sends what is erased. */
async function notifiedLines(
  store: Store,
  { consumers, consumers_count, sent_again }: Erasure,
): Promise<string[]> {
  const who = createWho(store);
  const called = async (id: string): Promise<string> => {
    const name = await who(id);
    return name === id ? '-' : name;
  };
  const notified = consumers.map(
    async ({ consumer, status, told_at, acknowledged_at, seen_at }) => [
      ...[consumer, status, told_at ?? '-', acknowledged_at ?? '-', seen_at ?? '-'],
      await called(consumer),
    ],
  );
  const again = sent_again.map(async ({ by, count: times, first_at, last_at }) => [
    ...[by, String(times), first_at, last_at, await called(by)],
  ]);
  const more = consumers_count - notified.length;
  return [
    ...(notified.length === 0 ? [] : ['', ...table(CONSUMERS, await Promise.all(notified))]),
    ...(more > 0 ? [`And ${count(more, 'more consumer')}.`] : []),
    ...(again.length === 0 ? [] : ['', ...table(SENDERS, await Promise.all(again))]),
  ];
}
