/** The metrics, if the operator enables them: the counters, and the server that shows them. */
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import about from '../../package.json' with { type: 'json' };
import type { Settings } from '../core/config.ts';
import { catalogue } from '../core/errors.ts';
import type { Log } from '../core/observe/log.ts';
import type { ReadFigures } from '../core/observe/metrics/figures.ts';
import type { Metrics } from '../core/observe/metrics/metrics.ts';
import { resources } from '../core/resources/index.ts';
import { CONNECTION_REFUSALS } from '../edge/limits/connections.ts';
import type { DiskRoom } from '../services/moments/room.ts';
import { fileOf } from '../store/open.ts';

/** Begins to count; nothing is loaded before. */
export async function startCounting(): Promise<Metrics> {
  const { createMetrics } = await import('../core/observe/metrics/metrics.ts');
  return createMetrics({
    version: about.version,
    resources: resources.map((resource) => resource.name),
    faults: Object.entries(catalogue)
      .map(([code, { status }]) => ({ code, status }))
      .filter(({ status }) => status >= 500),
    reasons: CONNECTION_REFUSALS,
  });
}

export async function showFigures(shown: Pick<Metrics, 'text' | 'contentType'>, log: Log) {
  const { createMetricsServer } = await import('../edge/server/metrics-server.ts');
  return createMetricsServer(shown, (error) => log.warned('the metrics were not shown', error));
}

/** A scrape waits no longer for a disk or a server that hangs. */
const PATIENCE_MS = 3_000;

export function machineFigures(
  { database_url }: Pick<Settings, 'database_url'>,
  isReady: () => Promise<boolean>,
  certificateUntil: () => number | undefined,
  backups: () => DiskRoom | undefined,
): ReadFigures {
  const file = fileOf(database_url);
  // Nobody can do anything while the disk of the store hangs, whose look is one at a time all the same.
  const store = file === undefined ? undefined : oneAtATime(() => roomOf(dirname(resolve(file))));
  const disks = async (which: 'free' | 'size') => {
    const rooms = { store: store && (await within(store(), undefined)), backups: backups() };
    return Object.entries(rooms).flatMap(([disk, room]) =>
      room === undefined ? [] : [[disk, room[which]] as const],
    );
  };
  return {
    ready: async () => ((await within(isReady(), false)) ? 1 : 0),
    certificate_expires_timestamp_seconds: certificateUntil,
    disk_free_bytes: () => disks('free'),
    disk_size_bytes: () => disks('size'),
  };
}

async function roomOf(folder: string): Promise<DiskRoom | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return undefined;
  }
}

/** Does the work one at a time: who asks while it is under way waits for the same answer. */
function oneAtATime<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let under: Promise<Result> | undefined;
  return () => {
    under ??= work().finally(() => {
      under = undefined;
    });
    return under;
  };
}

function within<Result, Late>(work: Promise<Result>, late: Late): Promise<Result | Late> {
  return Promise.race([work, pause(PATIENCE_MS, late, { ref: false })]);
}
