/** Finds drafts of records that a retention rule would remove as soon as they are made. */
import type { RecordShape } from '../../../core/schema/shape.ts';
import type {
  Draft,
  Filter,
  MarkPast,
  Scope,
  StoredRecord,
} from '../../../store/promises/records.ts';
import { DAY_MS, dateKey, dateText } from '../../../store/records/aged.ts';
import { keysOf, TextDraft, textOf } from '../../../store/records/content.ts';
import { contentIn } from '../../../store/records/judge.ts';
import { type Filtered, meetsAll } from '../../../store/records/met.ts';
import { parseDocument, storedKeys } from '../../../store/records/records.ts';
import type { StoredRetentionRule } from '../declares.ts';

/** A rule by which new records are refused, for the dates of their services. */
export type RefusingRule = Pick<
  StoredRetentionRule,
  'location' | 'resource' | 'after_days' | 'spares'
>;

interface Reads {
  readonly retention: {
    refusing(account: string): readonly RefusingRule[] | Promise<readonly RefusingRule[]>;
  };
  keepers(
    account: string,
  ): Promise<{ on(records: readonly (string | null)[]): string | undefined }>;
  findAll(
    shape: RecordShape,
    ids: readonly string[],
    scope: Scope,
  ): Promise<readonly StoredRecord[]>;
  seenTime(): Promise<number | undefined>;
}

/** A rule that was just made, paused or removed by another process counts after five seconds. */
export function createMarkPast(
  store: Reads,
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

  const datesAbove = async (account: string, drafts: readonly Draft[]) => {
    const scope = { accounts: new Set([account]), anchors: undefined };
    const groups = Map.groupBy(drafts, ({ shape }) => datedBy.get(shape.resource));
    const found = [...groups].map(async ([above, own]) => {
      if (above === undefined) return [];
      const parents = [...new Set(own.map(({ parent }) => parent))];
      const records = await store.findAll(above, parents, scope);
      return records.map(({ unique_identifier, document }) => {
        const date = dateIn(above, storedKeys(above, parseDocument(document)));
        return [unique_identifier, date] as const;
      });
    });
    return new Map((await Promise.all(found)).flat());
  };

  const pastIn = async (
    account: string,
    rules: readonly RefusingRule[],
    all: readonly Draft[],
  ): Promise<readonly Draft[]> => {
    const drafts = all.filter(({ shape }) =>
      rules.some(({ resource }) => [shape.resource, shape.parent?.resource].includes(resource)),
    );
    if (drafts.length === 0) return [];
    const at = now();
    const [dates, seen = Number.POSITIVE_INFINITY] = await Promise.all([
      datesAbove(account, drafts),
      store.seenTime(),
    ]);
    // A clock that is far ahead of what the store has seen must not make systems forget records.
    const believed = Math.min(at, seen + DAY_MS);
    const past = drafts.filter((draft) => {
      const { shape, anchor = null, external_identifier, parent } = draft;
      const content = contentIn(draft, undefined, at);
      if (!('keys' in content)) return false;
      const record = { anchor, external_identifier, inserted_at: at, updated_at: at };
      const made = { shape, record, keys: () => content.keys };
      return isPast(rules, made, dates.get(parent), believed);
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

function dateIn({ keys }: Pick<RecordShape, 'keys'>, columns: readonly string[]) {
  return columns[keys.findIndex(({ ages }) => ages)];
}

/** Whether a rule would remove the record as soon as it is made, for the date of its service; `above` is that of what it belongs to. */
function isPast(
  rules: readonly RefusingRule[],
  made: Filtered,
  above: string | undefined,
  believed: number,
): boolean {
  const { shape, record, keys } = made;
  const own = dateIn(shape, keys()) ?? above;
  if (own === undefined || own === '') return false;
  return rules.some(
    ({ location, resource, after_days, spares }) =>
      (location === null || location === record.anchor) &&
      own <= dateText(believed - after_days * DAY_MS) &&
      (resource === shape.resource
        ? spares === null || !meetsAll(spares as readonly Filter[], made)
        : resource === shape.parent?.resource && spares === null),
  );
}
