/** Rows that go into a store of this machine, beside whoever serves it. */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { importerOf } from '../../auth/operator.ts';
import { ApiError } from '../../errors.ts';
import { createScheduler } from '../../fair/scheduler.ts';
import { createIngest } from '../../ingest/ingest.ts';
import type { ManyCall } from '../../ingest/many/row.ts';
import type { Resource } from '../../schema/define.ts';
import type { Store } from '../../store/store.ts';
import type { SentRow, Sink } from './run.ts';

/** Between two commits: without it a process that serves the store would hardly get to write. */
const PAUSE_MS = 5;

export interface StoreSinkOptions {
  readonly resources: readonly Resource[];
  readonly accounts: readonly string[];
  readonly only: ManyCall['only'];
  readonly dry_run: boolean;
}

/** What it writes is noted as the doing of the import. */
export function storeSink(store: Store, id: string, options: StoreSinkOptions): Sink {
  const { resources, accounts, only, dry_run } = options;
  const ingest = createIngest(store, { resources, now: Date.now, scheduler: createScheduler() });
  const principal = importerOf(id, accounts);
  return {
    async send(resource, rows, name) {
      const body = Buffer.from(`[${rows.join(',')}]`);
      const call: ManyCall = { principal, resource, unknown: 'refuse', only, dry_run };
      const fingerprint = createHash('sha256').update(body).digest();
      const repeatable = { idempotency_key: name, fingerprint };
      const { results } = await ingest.many.array(call, body, { atomic: false, repeatable });
      await pause(PAUSE_MS);
      return results.map((result): SentRow => {
        if (!(result instanceof Error)) return { outcome: result.outcome };
        if (result instanceof ApiError) return { error: inWords(result) };
        throw result;
      });
    },
  };
}

/** Every fault of the row, one after the other. */
function inWords(error: ApiError): string {
  return error.faults.map(({ message }) => message).join(' ');
}
