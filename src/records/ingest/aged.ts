/** Finds drafts of records that a retention rule would remove as soon as they are made. */
import type { RecordShape } from '../../core/schema/shape.ts';
import type { AskedRule } from '../../store/promises/erasing/retention.ts';
import type { Draft, Store } from '../../store/promises/store.ts';
import { dateKey, dateOf, isPast } from '../../store/records/aged.ts';
import { keysOf, TextDraft, textOf } from '../../store/records/content.ts';
import { contentIn } from '../../store/records/judge.ts';

/**
 * Returns the drafts, those of records that are too old to be made with `isPast`. At once where no rule refuses
 * anything. A rule that was just made, paused or removed by another process counts after five seconds.
 */
export type MarkPast = (drafts: readonly Draft[]) => readonly Draft[] | Promise<readonly Draft[]>;

export function createMarkPast(
  store: Pick<Store, 'retention' | 'keepers' | 'findAll' | 'seenTime'>,
  shapes: readonly RecordShape[],
  now: () => number,
): MarkPast {
  /** By resource: the shape of what its records belong to, where that has the date of both. */
  const datedBy = new Map(
    shapes.flatMap((shape) => {
      const above = shapes.find(({ resource }) => resource === shape.parent?.resource);
      const isDated = above !== undefined && dateKey(above) !== undefined;
      return isDated && dateKey(shape) === undefined ? [[shape.resource, above]] : [];
    }),
  );

  /** The dates of what the drafts belong to. */
  const datesAbove = async (account: string, drafts: readonly Draft[]) => {
    const scope = { accounts: new Set([account]), anchors: undefined };
    const groups = Map.groupBy(drafts, ({ shape }) => datedBy.get(shape.resource));
    const found = [...groups].map(async ([above, own]) => {
      if (above === undefined) return [];
      const parents = [...new Set(own.map(({ parent }) => parent))];
      const records = await store.findAll(above, parents, scope);
      return records.map((one) => [one.unique_identifier, dateOf(above, one.document)] as const);
    });
    return new Map((await Promise.all(found)).flat());
  };

  const pastIn = async (
    account: string,
    rules: readonly AskedRule[],
    all: readonly Draft[],
  ): Promise<readonly Draft[]> => {
    const drafts = all.filter(({ shape }) =>
      rules.some(({ resource }) => [shape.resource, shape.parent?.resource].includes(resource)),
    );
    if (drafts.length === 0) return [];
    const at = now();
    const [dates, seen] = await Promise.all([datesAbove(account, drafts), store.seenTime()]);
    const past = drafts.filter((draft) => {
      const { shape, anchor = null, external_identifier, parent } = draft;
      const content = contentIn(draft, undefined, at);
      if (!('keys' in content)) return false;
      const record = { anchor, external_identifier, inserted_at: at, updated_at: at };
      const made = { shape, record, keys: () => content.keys };
      return isPast(rules, made, { date: dates.get(parent), seen, now: at });
    });
    if (past.length === 0) return [];
    // What a record belongs to stays while it is held, and so may the record.
    const keepers = await store.keepers(account);
    return past.filter(({ anchor = null, parent }) => {
      return keepers.on([account, anchor, parent]) === undefined;
    });
  };

  return (drafts) => {
    const accounts = new Set(drafts.map(({ account }) => account));
    const found = [...accounts].map((account) => store.retention.refusing(account));
    if (found.every((rules) => !(rules instanceof Promise) && rules.length === 0)) return drafts;
    return Promise.all(found).then(async (refusing) => {
      const past = [...accounts].map((account, at) => {
        const rules = refusing[at] ?? [];
        const own = drafts.filter((draft) => draft.account === account);
        return rules.length === 0 ? [] : pastIn(account, rules, own);
      });
      const marked = new Set((await Promise.all(past)).flat());
      return drafts.map((draft) =>
        marked.has(draft)
          ? new TextDraft({ ...draft, isPast: true }, textOf(draft), keysOf(draft))
          : draft,
      );
    });
  };
}
