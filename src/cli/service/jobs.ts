/** `ledgerstone jobs`: the long work that is under way. */
import { presentTime } from '../../core/schema/present/present.ts';
import type { Command } from '../help.ts';
import { print, tableOf } from '../output.ts';
import { withStore } from '../store.ts';

export function addJobs(program: Command): void {
  program
    .command('jobs')
    .description(
      'List the long work that is under way: what is removed, restored or looked for in pieces, since when, and when it last came further',
    )
    .option('--json', 'Print one JSON document')
    .examples({ 'ledgerstone jobs': 'See what stands still' })
    .action(async ({ json }: { json?: true }, command: Command) => {
      const all = await withStore(command, {}, (store) => store.jobs.list());
      const shown = all.map(({ owner: _, until: __, ...one }) => ({
        ...one,
        began_at: presentTime(one.began_at),
        progressed_at: presentTime(one.progressed_at),
      }));
      const times = [
        ['BEGAN', 'began_at'],
        ['CAME FURTHER', 'progressed_at'],
      ] as const;
      const lines = tableOf(['kind', 'object', 'account', ...times], shown);
      print(json, shown, ...(shown.length === 0 ? ['Nothing is under way.'] : lines));
    });
}
