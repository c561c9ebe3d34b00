/** The changes of one record, from one of its changes back. */
import type { ChangeLog, LoggedChange, LogSlot, RecordChanges } from '../promises/log.ts';

/** The most changes of one record to read for one request. */
const MAX_CHANGES = 10_000;

/** Yields them, the newest first, as far back as the log goes or one request may read. */
export async function* walk(
  log: Pick<ChangeLog, 'back'>,
  from: Pick<RecordChanges, 'account' | 'record' | 'position'>,
  slot?: LogSlot,
): AsyncGenerator<LoggedChange> {
  let count = 0;
  for await (const changes of log.back(from, slot)) {
    yield* changes;
    count += changes.length;
    if (count >= MAX_CHANGES) return;
  }
}
