/** Runs one command and reports the result: by an exit code, and a clear line on standard error on failure. */
import { debuglog } from 'node:util';
import { CommanderError } from 'commander';
import { SettingsError } from '../core/config.ts';
import { ApiError } from '../core/errors.ts';
import { CertificateUnusable } from '../core/network/certificate-unusable.ts';
import { SecretKeyUnusable } from '../core/sealing/secret-key-unusable.ts';
import { SheetTooSmall } from '../core/tables/write-xlsx.ts';
import { FileUnusable } from '../services/backup/file.ts';
import { BackupUnusable } from '../services/backup/verify/damaged.ts';
import { JournalUnusable } from '../services/erasures/journal-lines.ts';
import { TransferRefused } from '../services/transfer/refused.ts';
import { StoreUnavailable, StoreUnusable } from '../store/promises/store.ts';
import { Mistake } from './mistake.ts';
import { createProgram, missingCommand } from './program.ts';

const debug = debuglog('ledgerstone');

/** Errors whose message is meant for the person at the command line. */
const TOLD = [
  Mistake,
  SettingsError,
  CertificateUnusable,
  SecretKeyUnusable,
  StoreUnusable,
  StoreUnavailable,
  ApiError,
  TransferRefused,
  SheetTooSmall,
  BackupUnusable,
  FileUnusable,
  JournalUnusable,
];

export async function run(words: readonly string[]): Promise<number> {
  // The reader of the output may stop reading, as `head` does.
  process.stdout.on('error', ignoreBrokenPipe);
  process.stderr.on('error', ignoreBrokenPipe);
  const program = await createProgram(words);
  try {
    await program.parseAsync(words.length === 0 ? ['--help'] : words, { from: 'user' });
    // A command that has done a part of its work says so.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    debug('%O', error);
    for (const line of explain(error, program, words))
      process.stderr.write(`ledgerstone: ${line}\n`);
    return Number(process.exitCode ?? 1);
  }
}

function explain(
  error: unknown,
  program: Awaited<ReturnType<typeof createProgram>>,
  words: readonly string[],
): string[] {
  if (error instanceof CommanderError) {
    if (error.code === 'commander.help') return [missingCommand(program, words)];
    if (error.code === 'commander.unknownOption' && error.message.includes("'--url'"))
      return ['This needs the store: run it where the service runs, without --url.'];
    return [error.message.replace(/^error: /, '').replaceAll('\n', ' ')];
  }
  if (TOLD.some((kind) => error instanceof kind)) return (error as Error).message.split('\n');
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return [
    `Unexpected error: ${what.replaceAll('\n', ' ')} (run the command again with NODE_DEBUG=ledgerstone to see where it came from).`,
  ];
}

function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
