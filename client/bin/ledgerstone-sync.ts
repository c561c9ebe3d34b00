#!/usr/bin/env node
/** `npx ledgerstone-sync`: sends files that have all of a resource, and removes what they no longer have. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { addressFault } from '../src/address.ts';
import { type BeginSyncParams, ConnectionError, Ledgerstone, type RowError } from '../src/index.ts';
import { failureOf } from '../src/listen.ts';
import { retrying } from '../src/retry.ts';
import { sender } from '../src/send.ts';
import { error, out } from './print.ts';

const USAGE = `Usage: LEDGERSTONE_URL=https://… LEDGERSTONE_KEY=sk_… npx ledgerstone-sync --resource NAME --location loc_… FILE...

Upserts each row of the files (.csv, .tsv or .ndjson, up to 100,000 rows each), and then removes what your source made
before and the files no longer have.

  --resource NAME     what the rows are, by the name in its path, such as events
  --location loc_…    the files have all that you know of this location
  --account acct_…    the files have all that you know of this account
  --at-most 5%        the largest share of your records that may be removed
  --dry-run           only tell what would happen
  --plain-http        send the key and the records without encryption to another machine
  --help              this text

Exit status: 0 done; 1 stopped, run it again; 2 done, but rows were refused: their records stay as they are.
`;
const TYPES = { csv: 'text/csv', tsv: 'text/tab-separated-values', ndjson: 'application/x-ndjson' };
const RETRIES = { tries: 100, patience: 60_000, limitPatience: 600_000, isOnce: false };
type Answered = { lines: { line: number; error?: RowError; summary?: object }[] };

async function main(): Promise<number> {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const;
  const named = { resource: text, location: text, account: text, 'at-most': text };
  const options = { ...named, 'dry-run': flag, 'plain-http': flag, help: flag };
  const { values, positionals: files } = parseArgs({ allowPositionals: true, options });
  const { resource = '', location, account, 'at-most': at_most, 'dry-run': dry_run } = values;
  const { LEDGERSTONE_URL: url = '', LEDGERSTONE_KEY: key = '' } = process.env;
  const typeOf = (file: string) => TYPES[file.split('.').at(-1) as keyof typeof TYPES];
  if (values.help) return print(USAGE, 0);
  if (url === '' || key === '') return print('Set LEDGERSTONE_URL and LEDGERSTONE_KEY.', 1);
  const fault = addressFault(url, 'LEDGERSTONE_URL', values['plain-http'] === true);
  if (fault !== undefined) return print(fault, 1);
  if (resource === '' || files.length === 0 || !files.every(typeOf)) return print(USAGE, 1);
  const { syncs } = new Ledgerstone({ url, key });
  const send = sender({ url, key, timeout: 21_600_000 });
  const name = resource.replace(/ies$/, 'y').replace(/s$/, '');
  const all = { resource: name, location, account, at_most } as BeginSyncParams;
  const { unique_identifier: id } = await syncs.create(all);
  const path = `/v1/${resource}/upsert_many`;
  let status = 0;
  for (const file of files) {
    const headers = { 'Content-Type': typeOf(file), 'Ledgerstone-Sync': id };
    const body = readFileSync(file);
    const { lines } = await retrying(RETRIES, undefined, async () => {
      const sent = await send({ method: 'POST', path, query: { dry_run }, headers, body });
      const { error: last } = (sent as Answered).lines.at(-1) ?? {};
      if (last?.code !== 'service_unavailable') return sent as Answered;
      throw new ConnectionError({ ...last, type: 'connection_error', code: 'answer_unreadable' });
    });
    const last = lines.pop();
    for (const { line, error: refused } of lines)
      for (const { message } of refused?.errors ?? [])
        status = print(`${file}:${line}: ${message}`, 2);
    if (last?.error) return print(`${file}:${last.line}: ${last.error.message}`, 1);
    if (lines.length === 0) return print(`${file} has no rows.`, 1);
    print(`${file}: ${JSON.stringify(last?.summary)}`, 0);
  }
  let done = await syncs.finish(id, { dry_run }, { timeout: 300_000 });
  while (done.status === 'finishing') done = await syncs.finish(id, {}, { timeout: 300_000 });
  const counts = `${JSON.stringify(done.removed)}, left: ${done.left_count}`;
  if (done.repeated > 0) print(`rows of a record that an earlier row named: ${done.repeated}`, 0);
  print(`${dry_run ? 'would remove' : 'removed'}: ${counts}`, 0);
  return done.status === 'stopped' ? print(`The sync ${id} was stopped.`, 1) : status;
}

function print(says: string, status: number): number {
  (status === 0 ? out : error)(says);
  return status;
}

process.exitCode = await main().catch((error: Error) =>
  print((failureOf(error) ?? error.message).replaceAll('at_most', '--at-most'), 1),
);
