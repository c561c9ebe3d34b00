/** A running service that shows its metrics. */
import assert from 'node:assert/strict';
import type { CommandLineSettings } from '../../src/core/config.ts';
import { keptLog } from './kept-log.ts';
import { type Scrape, scrape } from './scrape.ts';
import { type Service, startService } from './service.ts';

export interface CountedService extends Service {
  /** Where the metrics are. */
  readonly metrics: string;
  /** The lines of the log so far. */
  readonly lines: readonly Record<string, unknown>[];
  scrape(): Promise<Scrape>;
}

/** `settings` are beside those that show the metrics. */
export async function startCounted(settings: CommandLineSettings = {}): Promise<CountedService> {
  const { log, lines } = keptLog();
  const service = await startService({ settings: { metrics_port: '0', ...settings }, log });
  const line = lines.find(({ msg }) => msg === 'metrics');
  assert.ok(typeof line?.address === 'string', 'the log does not say where the metrics are');
  const { address } = line;
  return { ...service, metrics: address, lines, scrape: () => scrape(address) };
}
