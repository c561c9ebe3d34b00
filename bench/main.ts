/** `npm run bench`: what our service does in a second, measured beside something that others know. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { besideBare } from './beside-bare.ts';
import { besidePgbench } from './beside-pgbench.ts';
import { bulk } from './bulk.ts';
import { carry } from './carry/carry.ts';
import { drawChart } from './chart.ts';
import { cluster } from './cluster.ts';
import { readOptions } from './options.ts';
import { say } from './progress.ts';
import { several } from './several.ts';
import { siege } from './siege/siege.ts';

const options = readOptions();
const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-bench-'));
try {
  const besides = options.database === 'postgres' ? besidePgbench : besideBare;
  const modes = [
    [options.database === 'citus', cluster],
    [options.bulk, bulk],
    [options.siege, siege],
    [options.accounts !== undefined || options.processes !== undefined, several],
    [options.carry, carry],
  ] as const;
  const bench = modes.find(([isWanted]) => isWanted)?.[1] ?? besides;
  const { text, json, chart } = await bench(options, folder);
  say('');
  if (options.chart !== undefined) writeFileSync(options.chart, drawChart(chart));
  process.stdout.write(`${options.json ? JSON.stringify(json, undefined, 2) : text}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
