/** `ledgerstone compact`: rewrites a SQLite store, so that nothing is left in its file of what was removed. */
import { compactStore, whichStore } from '../../store/open.ts';
import type { Command } from '../help.ts';
import { megabytes, print, say, secondsSince } from '../output.ts';
import { storeSettings } from '../store.ts';

export function addCompact(program: Command): void {
  program
    .command('compact')
    .description(
      'Rewrite a SQLite store to erase what is left of removed records and free unused space; stop the service first',
    )
    .option('--json', 'Print one JSON document')
    .examples({ 'ledgerstone compact': 'After removing thousands of records' })
    .action(async ({ json }: { json?: true }, command: Command) => {
      const began = performance.now();
      const store = whichStore(storeSettings(command));
      const { place, bytesBefore, bytesAfter } = await compactStore(store);
      const seconds = secondsSince(began);
      const sizes = `${megabytes(bytesBefore)} before, ${megabytes(bytesAfter)} now`;
      const shown = { bytes_before: bytesBefore, bytes_after: bytesAfter, seconds };
      print(json, shown, `Rewritten in ${seconds} seconds: ${sizes}.`);
      say(`Store: ${place}`);
    });
}
