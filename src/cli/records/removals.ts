/** `ledgerstone removals`: lists removals and restores them. */
import type { RestoredRemoval } from '../../../client/src/generated/objects.d.ts';
import { resources } from '../../core/registry.ts';
import { removalOperations } from '../../edge/operations/removals.ts';
import { addWhole } from '../derived/whole.ts';
import type { At } from '../derived.ts';
import type { Command } from '../help.ts';

export function addRemovals(program: Command): void {
  addWhole(program, {
    name: 'removals',
    says: 'See what was removed, and restore it',
    operations: removalOperations(resources),
    takes: ['query', 'ingest'],
    but: {
      list: { flags: { q: '--search <words>' }, most: 50 },
      restore: { prints: restoredLines },
    },
  });
}

function restoredLines(
  { restored, left, left_count }: RestoredRemoval,
  _: string,
  { options }: At,
): readonly string[] {
  const says = `${restored} restored, ${left_count} left removed.`;
  const unnamed = left_count - left.length;
  return [
    options.dryRun === true ? `Dry run: ${says} Nothing was written.` : says,
    ...left.map((one) => `${one.resource} ${one.record}: ${one.message}`),
    ...(unnamed > 0 ? [`and ${unnamed} more`] : []),
  ];
}
