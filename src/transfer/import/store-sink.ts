/** Rows that go into a store of this machine, beside whoever serves it. */
import { importerOf } from '../../auth/operator.ts';
import { createScheduler } from '../../fair/scheduler.ts';
import { createIngest } from '../../ingest/ingest.ts';
import type { ManyCall } from '../../ingest/many/row.ts';
import type { Resource } from '../../schema/define.ts';
import type { Store } from '../../store/store.ts';
import { manySink } from './many-sink.ts';
import type { Sink } from './run.ts';

/** Between two commits as long as one takes: without it a process that serves the store would hardly get to write. */
const PAUSE = 1;

export interface StoreSinkOptions {
  readonly resources: readonly Resource[];
  readonly accounts: readonly string[];
  readonly only: ManyCall['only'];
  readonly dry_run: boolean;
  /** Whether to take no pauses, since nobody serves the store meanwhile. */
  readonly fast?: boolean | undefined;
}

/** What it writes is noted as the doing of the import. */
export function storeSink(store: Store, id: string, options: StoreSinkOptions): Sink {
  const { resources, accounts, only, dry_run, fast } = options;
  const { many } = createIngest(store, { resources, now: Date.now, scheduler: createScheduler() });
  return manySink(many, importerOf(id, accounts), {
    only,
    dry_run,
    pause: dry_run || fast ? 0 : PAUSE,
  });
}
