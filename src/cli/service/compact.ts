/** `ledgerstone compact`: rewrites a SQLite store, so that nothing is left in its file of what was removed. */
import type { Command } from 'commander';
import { compact } from '../../store/open-store.ts';
import { examples } from '../help.ts';
import { printJson, printLines } from '../output.ts';
import { storeSettings } from '../store.ts';

const MB = 1_000_000;

export function addCompact(program: Command): void {
  program
    .command('compact')
    .description(
      'Rewrite a SQLite store to erase what is left of removed records and free unused space; stop the service first',
    )
    .option('--json', 'Print one JSON document')
    .addHelpText('after', examples(['ledgerstone compact', 'After removing thousands of records']))
    .action(async ({ json }: { json?: true }, command: Command) => {
      const began = performance.now();
      const { place, bytesBefore, bytesAfter } = await compact(storeSettings(command));
      const seconds = Number(((performance.now() - began) / 1000).toFixed(1));
      if (json) {
        printJson({ bytes_before: bytesBefore, bytes_after: bytesAfter, seconds });
      } else {
        const sizes = `${megabytes(bytesBefore)} before, ${megabytes(bytesAfter)} now`;
        printLines(`Rewritten in ${seconds} seconds: ${sizes}.`);
      }
      process.stderr.write(`Store: ${place}\n`);
    });
}

function megabytes(bytes: number): string {
  return `${(bytes / MB).toFixed(1)} MB`;
}
