#!/usr/bin/env node
/** `npx ledgerstone-sync`: sends files that have all of a resource, and removes what they no longer have. */
import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { addressFault } from '../src/address.ts';
import {
  type BeginSyncParams,
  ConnectionError,
  Ledgerstone,
  LedgerstoneError,
  type RowError,
} from '../src/index.ts';
import { toJson } from '../src/json.ts';
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
  --as-of TIME        when the files were exported, such as 2027-03-20T01:00:00-05:00: what your source changed after that
                      stays as it is; by default the time at which the oldest file was last changed
  --at-most 5%        the largest share of your records that may be removed
  --despite req_…     finish although something of this request was not taken; repeat it, or say all
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
  const named = { resource: text, location: text, account: text, 'at-most': text, 'as-of': text };
  const despites = { type: 'string', multiple: true } as const;
  const options = { ...named, despite: despites, 'dry-run': flag, 'plain-http': flag, help: flag };
  const { values, positionals: files } = parseArgs({ allowPositionals: true, options });
  const { resource = '', location, account, 'at-most': at_most, 'dry-run': dry_run } = values;
  const { despite } = values;
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
  const { unique_identifier: id } = await begun(syncs, all, values['as-of'], files);
  const path = `/v1/${resource}/upsert_many`;
  let status = 0;
  for (const file of files) {
    // The name of all tries of this file: the one that is taken takes the place of those before it.
    const headers = {
      ...{ 'Content-Type': typeOf(file), 'Ledgerstone-Sync': id },
      'Ledgerstone-Instead-Of': `file-${files.indexOf(file)}-${id}`,
    };
    const body = readFileSync(file);
    let tries = 0;
    const { lines } = await retrying(RETRIES, undefined, async () => {
      tries += 1;
      const sent = await send({ method: 'POST', path, query: { dry_run }, headers, body });
      const { error: last } = (sent as Answered).lines.at(-1) ?? {};
      if (last?.code !== 'service_unavailable') return sent as Answered;
      throw new ConnectionError({ ...last, type: 'connection_error', code: 'answer_unreadable' });
    });
    const last = lines.pop();
    if (tries > 1) print(`${file}: sent again, in place of what was not taken`, 0);
    for (const { line, error: refused } of lines)
      for (const { message } of refused?.errors ?? [])
        status = print(`${file}:${line}: ${message}`, 2);
    if (last?.error) return print(`${file}:${last.line}: ${last.error.message}`, 1);
    if (lines.length === 0) return print(`${file} has no rows.`, 1);
    print(`${file}: ${toJson(last?.summary)}`, 0);
  }
  let done = await syncs.finish(id, { dry_run, ...(despite && { despite }) }, { timeout: 300_000 });
  while (done.status === 'finishing') done = await syncs.finish(id, {}, { timeout: 300_000 });
  const counts = `${toJson(done.removed)}, left: ${done.left_count}`;
  if (done.repeated > 0) print(`rows of a record that an earlier row named: ${done.repeated}`, 0);
  if (done.refusal !== null) print(inOptions(done.refusal), 0);
  print(`${dry_run ? 'would remove' : 'removed'}: ${counts}`, 0);
  return done.status === 'stopped' ? print(`The sync ${id} was stopped.`, 1) : status;
}

/** Begins the sync of files, as of the time that is given, or at which the oldest of them was last changed. */
async function begun(
  syncs: Ledgerstone['syncs'],
  all: BeginSyncParams,
  asOf: string | undefined,
  files: readonly string[],
) {
  if (asOf !== undefined) return syncs.create({ ...all, as_of: asOf });
  const changed = new Date(Math.min(...files.map((file) => statSync(file).mtimeMs)));
  const as_of = changed.toISOString();
  try {
    const sync = await syncs.create({ ...all, as_of });
    print(`As of ${as_of}, when the file was last changed. Another time: --as-of.`, 0);
    return sync;
  } catch (failure) {
    // The clock of this machine, or of the one that wrote the file, is ahead of that of the service.
    if (!(failure instanceof LedgerstoneError) || failure.param !== 'as_of') throw failure;
    print(`As of now: the file was last changed at ${as_of}, which is still to come.`, 0);
    return syncs.create(all);
  }
}

/** With the options of this program in place of parameters. */
function inOptions(says: string): string {
  const named = says.replaceAll('at_most', '--at-most').replaceAll('despite[]=', '--despite');
  return named.replaceAll('despite=all', '--despite all').replaceAll('as_of', '--as-of');
}

function print(says: string, status: number): number {
  (status === 0 ? out : error)(says);
  return status;
}

process.exitCode = await main().catch((error: Error) =>
  print(inOptions(failureOf(error) ?? error.message), 1),
);
