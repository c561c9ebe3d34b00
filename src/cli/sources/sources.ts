/** `ledgerstone sources`: who sends records, whatever keys they use. */
import type { Source } from '../../../client/src/generated/objects.d.ts';
import { sourceOperations } from '../../edge/operations/feeds/sources.ts';
import { featureBeside } from '../../features/command.ts';
import { addWhole } from '../derived/whole.ts';
import type { At } from '../derived.ts';
import type { Command } from '../help.ts';
import { noneIfDenied } from './names.ts';

export function addSources(program: Command): void {
  addWhole(program, {
    name: 'sources',
    says: 'See who sends records, whatever keys they use; rename and merge them',
    operations: sourceOperations,
    takes: ['sources'],
    but: {
      list: { runs: listed },
      merge: {
        prints: (into: Source, id) => `${id} is part of ${into.name} (${into.unique_identifier}).`,
      },
      show: {
        async runs(at) {
          const found = (await listed(at)).find((one) => one.unique_identifier === at.id);
          if (found !== undefined) return found;
          throw at.missing('source');
        },
      },
    },
  });
}

/** The sources, each with what features say beside it, such as the worst state of what is expected of it. */
async function listed(at: At): Promise<readonly Source[]> {
  let all = await at.every<Source>('list_sources');
  const { account } = at.members as { readonly account?: string };
  for (const load of featureBeside) {
    const { as, takes, operation, by, says } = await load();
    await at.here?.take(takes);
    const some = await at.every<object>(operation, { members: { account } }).catch(noneIfDenied);
    const grouped = Map.groupBy(some, (one) => one[by as never] as string);
    all = all.map((one) => {
      const its = grouped.get(one.unique_identifier);
      return { ...one, [as]: its === undefined ? null : says(its as never) };
    });
  }
  return all;
}
