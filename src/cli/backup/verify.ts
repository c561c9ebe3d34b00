/** `ledgerstone verify`: whether a store, or a backup, is as it should be. */
import { resources } from '../../core/registry.ts';
import { readFolder } from '../../services/backup/folder/folder.ts';
import { partsOf } from '../../services/backup/parts.ts';
import { readBackup } from '../../services/backup/read.ts';
import { verifyStore } from '../../services/backup/verify/verify.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { count, countingProgress, plain, print } from '../output.ts';
import { fastOption, type PaceOptions, paceOf } from '../pace.ts';
import { withStore } from '../store.ts';
import { isFolder, openBackup } from './backup-file.ts';

interface Report {
  readonly rows: Readonly<Record<string, number>>;
  readonly digests: Readonly<Record<string, string>>;
  readonly faults: readonly string[];
  readonly faultCount: number;
  /** The count of all that was read, where that is more than `rows`. */
  readonly count?: number;
  /** That a folder that follows a store can restore. */
  readonly moments?: readonly { readonly from: string; readonly to: string }[];
}

export function addVerify(program: Command): void {
  program
    .command('verify')
    .description(
      'Read everything in the store or in a backup and report what is wrong, without changing anything; exits with 1 if something is wrong',
    )
    .argument(
      '[file]',
      'A backup, a folder of backups, or - for standard input; by default the store',
    )
    .addOption(fastOption())
    .option(
      '--json',
      'Print one JSON document, with a digest of each resource that is equal on every store that holds the same records',
    )
    .examples({
      'ledgerstone verify': 'Check every record of the store, while it is served',
      'ledgerstone verify store.backup': 'Check that a backup is as it was written',
      'ledgerstone verify /backups': 'Check all of them, and see which moments can be restored',
    })
    .action(async (file: string | undefined, options: PaceOptions, command: Command) => {
      const report =
        file === undefined
          ? await ofStore(command, options)
          : isFolder(file)
            ? await ofFolder(file)
            : await ofFile(file);
      const { rows, digests, faults, faultCount, moments } = report;
      const read = report.count ?? Object.values(rows).reduce((sum, each) => sum + each, 0);
      const ok = faultCount === 0;
      print(
        options.json,
        { ok, rows, digests, moments, faults },
        ...faults.map(plain),
        ...(moments ?? []).map(({ from, to }) => `Moments from ${from} to ${to} can be restored.`),
        `${read.toLocaleString('en-US')} rows were read${ok ? ': no faults' : ''}.`,
      );
      if (!ok) throw new Mistake(`Found ${count(faultCount, 'fault')}.`);
    });
}

async function ofStore(command: Command, options: PaceOptions): Promise<Report> {
  const pace = paceOf(options);
  using progress = countingProgress();
  return await withStore(command, {}, async (store) => {
    await using snapshot = await store.snapshot();
    const onRows = (rows: number, of: string): void => {
      if (options.json !== true) progress.show(`Verifying ${of}`, rows);
    };
    return await verifyStore(snapshot, partsOf(resources), resources, { onRows, pace });
  });
}

async function ofFolder(folder: string): Promise<Report> {
  using progress = countingProgress();
  const read = await readFolder(folder, partsOf(resources), (rows) =>
    progress.show('Verifying', rows),
  );
  const { newest, stretches, faults, rows: count } = read;
  if (newest === undefined && faults.length === 0)
    throw new Mistake(`There is no backup in ${folder}.`);
  const { rows = {}, digests = {} } = newest?.trailer ?? {};
  const moments = stretches.map(({ from, to }) => ({ from: iso(from), to: iso(to) }));
  return { rows, digests, count, moments, faults, faultCount: faults.length };
}

/** To the millisecond, as --at takes it. */
function iso(time: number): string {
  return new Date(time).toISOString();
}

/** Throws `BackupUnusable` where it is not whole. */
async function ofFile(file: string): Promise<Report> {
  using progress = countingProgress();
  const { trailer } = await readBackup({
    bytes: openBackup(file),
    parts: partsOf(resources),
    onRows: (rows) => progress.show('Verifying', rows),
  });
  return { rows: trailer.rows, digests: trailer.digests, faults: [], faultCount: 0 };
}
