/** A process that writes to a store until its work is done or it is killed, and reports every outcome. */
import { once } from 'node:events';
import { openStore } from '../../src/store/open.ts';
import type { Draft, StoredRecord } from '../../src/store/promises/store.ts';
import { shapes } from './store-shapes.ts';
import { type Ground, thingDraft } from './store-world.ts';

/** What a writer is told to do: batches of one draft for each name, each with a member of its own. */
export interface WriterTask {
  readonly url: string;
  readonly distribution: Ground['distribution'];
  readonly home: StoredRecord;
  /** Tells the members (and receipts) of this writer from those of others. */
  readonly writer: string;
  readonly names: readonly string[];
  readonly batches: number;
  /** With a receipt for each draft. */
  readonly receipts: boolean;
}

export interface WriterReport {
  readonly name: string;
  readonly member: string;
  readonly outcome: 'created' | 'updated' | 'unchanged';
  readonly record: StoredRecord;
}

/** Later than any clock of a test. */
const FAR_AWAY = 4_000_000_000_000;

export function receiptName(name: string, member: string): string {
  return `${name} ${member}`;
}

/** Says that the store is open, and waits for the word to begin. */
async function ready(): Promise<void> {
  await report([]);
  await once(process, 'message');
}

function report(outcomes: readonly WriterReport[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const { send } = process;
    if (send === undefined) reject(new Error('Nobody listens.'));
    else send.call(process, outcomes, (error: Error | null) => (error ? reject(error) : resolve()));
  });
}

async function work(task: WriterTask): Promise<void> {
  const where = { url: task.url, distribution: task.distribution };
  const store = await openStore({ ...where, shapes, create: false, serve: false });
  await ready();
  for (let batch = 0; batch < task.batches; batch++) {
    const member = `${task.writer} ${batch}`;
    const outcomes = await store.commit(task.names.map((name) => draft(task, name, member)));
    await report(
      outcomes.map((outcome, index) => {
        if (!('record' in outcome)) throw new Error(JSON.stringify(outcome));
        const name = task.names[index] ?? '';
        return { name, member, outcome: outcome.outcome, record: outcome.record };
      }),
    );
  }
  await store.close();
}

function draft({ home, receipts }: WriterTask, name: string, member: string): Draft {
  const plain = thingDraft(home, name, { extra: { [member]: 'x'.repeat(200) } });
  if (!receipts) return plain;
  const receipt = {
    owner: 'key_writer',
    idempotency_key: receiptName(name, member),
    fingerprint: new Uint8Array(32),
    expires_at: FAR_AWAY,
  };
  return { ...plain, receipt };
}

process.once('message', (task: WriterTask) => {
  work(task).then(
    () => process.disconnect?.(),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
      process.exit(1);
    },
  );
});
