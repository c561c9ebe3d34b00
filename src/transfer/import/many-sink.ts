/** Rows that are upserted as those of a request with many are. */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Principal } from '../../auth/principal.ts';
import { ApiError } from '../../errors.ts';
import type { Many } from '../../ingest/many/many.ts';
import type { ManyCall } from '../../ingest/many/row.ts';
import type { SentRow, Sink } from './run.ts';

export interface ManySinkOptions {
  readonly only: ManyCall['only'];
  readonly dry_run: boolean;
  readonly still?: ManyCall['still'];
  /** The pause between two commits, for whoever else writes: in parts of the time that the last one took. */
  readonly pause: number;
}

/** So few that whoever else writes to the account waits for some milliseconds. */
const ROWS = 64;

/** What is written is noted as the doing of the principal. */
export function manySink(
  many: Many,
  principal: Principal,
  { only, dry_run, still, pause }: ManySinkOptions,
): Sink {
  let until = 0;
  return {
    rows: ROWS,
    async send(resource, rows, name) {
      const body = Buffer.from(`[${rows.join(',')}]`);
      const call: ManyCall = { principal, resource, unknown: 'refuse', only, dry_run, still };
      const fingerprint = createHash('sha256').update(body).digest();
      const repeatable = { idempotency_key: name, fingerprint };
      // What was read meanwhile was part of the pause.
      const rest = until - performance.now();
      if (rest > 0) await setTimeout(rest);
      const began = performance.now();
      const { results } = await many.array(call, body, { atomic: false, repeatable });
      const ended = performance.now();
      until = ended + pause * (ended - began);
      return results.map((result): SentRow => {
        if (!(result instanceof Error)) return { outcome: result.outcome };
        if (result instanceof ApiError) return { faults: result.faults };
        throw result;
      });
    },
  };
}
