/** The command `ledgerstone import`: plans, imports into a store, and reports the result. */
import { createWriteStream, existsSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { checkSourceName } from '../../../cli/found.ts';
import { STANDARD_INPUT } from '../../../cli/given.ts';
import type { Command } from '../../../cli/help.ts';
import { Mistake } from '../../../cli/mistake.ts';
import { print } from '../../../cli/output.ts';
import { checkAddress } from '../../../cli/service/elsewhere.ts';
import { linesOfSync } from '../../../cli/sources/lines.ts';
import { withStore } from '../../../cli/store.ts';
import { temporaryFolder } from '../../../core/temporary.ts';
import { isNoRoom } from '../../../services/transfer/refused.ts';
import {
  EXIT_CODE,
  type ImportFlags,
  readAreaCode,
  readDelimiter,
  readSet,
  readWhole,
  readZone,
} from './asked.ts';
import { importAt } from './import-elsewhere.ts';
import { type Imported, importInto } from './import-store.ts';
import { checkSync } from './import-sync.ts';
import { checkWatch, watchFolder } from './watch/watch.ts';

export async function importCommand(
  named: readonly string[],
  { set, ...others }: ImportFlags,
  command: Command,
): Promise<void> {
  // A file right behind a value for all rows is taken for one more of these.
  const isFile = (one: string) => !one.includes('=') && (one === STANDARD_INPUT || existsSync(one));
  const files = [...named, ...(set ?? []).filter(isFile)];
  const flags = { ...others, ...(set && { set: set.filter((one) => !isFile(one)) }) };
  checkFlags(flags);
  checkWatch(files, flags);
  checkSync(flags);
  if (flags.watch !== undefined) return watchFolder({ ...flags, watch: flags.watch }, command);
  if (files.length === 0) throw new Mistake('Name the files to import, or "-" for standard input.');
  if (!files.includes(STANDARD_INPUT)) return importNamed(files, flags, command);
  if (files.length > 1)
    throw new Mistake('"-" stands for standard input and must be the only file.');
  await withInput((input) =>
    importNamed([input], { ...flags, input, called: INPUT_NAME }, command),
  );
}

/** Throws for values that no file makes right. */
function checkFlags({ set = [], source, url, plainHttp, ...flags }: ImportFlags): void {
  if (url !== undefined) checkAddress(url, { option: 'url', plainHttp: plainHttp === true });
  readWhole('--header-row', flags.headerRow);
  readWhole('--max-failed', flags.maxFailed);
  readDelimiter(flags.delimiter);
  readZone(flags.timeZone);
  readAreaCode(flags.areaCode);
  for (const one of set) readSet(one);
  if (source !== undefined) checkSourceName(source);
}

async function importNamed(
  files: readonly string[],
  flags: ImportFlags,
  command: Command,
): Promise<void> {
  if (flags.rejected !== undefined && files.length > 1)
    throw new Mistake(
      '--rejected works with one file only. With several, each has its rejected rows beside it.',
    );
  if (flags.url !== undefined) return importAt(flags.url, files, flags);
  await withStore(command, { threads: flags.fast === true }, async (store) =>
    report(await importInto(store, command, files, flags), flags),
  );
}

function report(
  { run, stopped, syncs, refusal, reasons }: Imported,
  { json, dryRun }: ImportFlags,
): void {
  const { counts, unique_identifier, files } = run;
  const rejected = files.map((file) => file.rejected).filter((path) => !dryRun && existsSync(path));
  process.exitCode =
    stopped === undefined ? (counts.failed > 0 ? EXIT_CODE.rejected : 0) : EXIT_CODE[stopped];
  // A service elsewhere has an import for each file.
  const imports = dryRun ? [] : [unique_identifier];
  const result = { ...counts, import: imports[0] ?? null, imports, rejected, reasons: reasons.all };
  const { created, updated, unchanged, failed } = counts;
  const words = `${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} rejected`;
  const again = 'Run the same command to continue.';
  print(
    json,
    syncs.length === 0 ? result : { ...result, syncs },
    dryRun ? `Dry run: ${words}. Nothing was written.` : `${words}.`,
    ...(dryRun ? [] : [`Import: ${unique_identifier}`]),
    ...reasons.lines(files.length > 1),
    ...(rejected.length > 0 ? [`Rejected rows: ${rejected.join(', ')}`] : []),
    ...(stopped === 'too_many_failed' ? [`Stopped: too many rows were rejected. ${again}`] : []),
    ...(stopped === 'interrupted' ? [`Interrupted. ${again}`] : []),
    ...syncs.flatMap((sync) => linesOfSync(sync, dryRun === true)),
  );
  if (refusal === undefined) return;
  process.exitCode = EXIT_CODE.rejected;
  throw refusal;
}

/** Its name in output and stored imports, and the prefix of files next to it. */
const INPUT_NAME = 'standard-input';

const HEAD_BYTES = 64;

/** Gives `work` the file, which is gone when `work` has ended. Messages of errors have its name, not its path. */
async function withInput(work: (path: string) => Promise<void>): Promise<void> {
  using folder = temporaryFolder('import');
  const path = join(folder.path, INPUT_NAME);
  try {
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }));
    await work(await named(path));
  } catch (error) {
    if (isNoRoom(error))
      throw new Mistake(
        'The folder for temporary files (TMPDIR) has no room for standard input: make some, or name another folder.',
      );
    if (error instanceof Error) {
      error.message = error.message.replaceAll(`${path}.ndjson`, INPUT_NAME);
      error.message = error.message.replaceAll(path, INPUT_NAME);
    }
    throw error;
  }
}

/** A file says by its name that it has JSON lines. Here the first character does; no column is called so. */
async function named(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(HEAD_BYTES) });
  const head = buffer.toString('latin1', 0, bytesRead);
  if (!/^[\s\0\u00ef\u00bb\u00bf\u00fe\u00ff]*\{/.test(head)) return path;
  await rename(path, `${path}.ndjson`);
  return `${path}.ndjson`;
}
