/** The book of retention rules, over the tables of a store. */
import { BoundedMap } from '../../core/bounded.ts';
import { ownColumns } from '../../core/objects/own-object.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import { notAheadOf } from '../../store/believed-time.ts';
import { Book } from '../../store/books/book.ts';
import { inserted, newRow, renewed, rowReader, selected } from '../../store/books/rows/own-rows.ts';
import {
  type BookParts,
  type BookTables,
  type BookWrite,
  erasing,
  statements,
} from '../../store/books/tables.ts';
import { named } from '../../store/images.ts';
import { quoteName } from '../../store/names.ts';
import { ENDED_MS } from '../../store/promises/erasing/book.ts';
import type {
  Draft,
  Filter,
  RefuseTooOld,
  Scope,
  StoredRecord,
} from '../../store/promises/records.ts';
import { DAY_MS, dateKey, dateText } from '../../store/records/aged.ts';
import { keysOf, TextDraft, textOf } from '../../store/records/content.ts';
import { contentIn } from '../../store/records/judge.ts';
import { parseDocument, storedKeys } from '../../store/records/records.ts';
import { type Filtered, meetsAll } from '../../store/records/requirements.ts';
import {
  retentionRule,
  retentionRun,
  type StoredRetentionRule,
  type StoredRetentionRun,
} from './declares.ts';

const toRule = rowReader(retentionRule);
const toRun = rowReader(retentionRun);
type RuleName = Pick<StoredRetentionRule, 'account' | 'unique_identifier'>;
const toName = named<RuleName>('account', 'unique_identifier');
const rules = `SELECT ${selected(retentionRule)} FROM retention_rule`;
const runs = `SELECT ${selected(retentionRun)} FROM retention_run`;
const changed = ownColumns(retentionRun)
  .filter(({ name }) => !retentionRun.key.includes(name))
  .map(({ name }) => `${quoteName(name)} = excluded.${quoteName(name)}`);
const PURGED_AT_ONCE = 100;
const FOUND = 1_000;
/** How long the rules of an account are as they were read, and of how many accounts. */
const FRESH_MS = 5_000;
const MAX_READ = 10_000;

export const sql = statements({
  add: inserted(retentionRule),
  replace: renewed(retentionRule),
  find: `${rules} WHERE unique_identifier = $1`,
  list: ({ among, limit, as }) => `${rules} WHERE ${among('account', '$1')}
    AND unique_identifier < ${as('$2', 'text')} ORDER BY unique_identifier DESC LIMIT ${limit('$3')}`,
  count: 'SELECT count(*) FROM retention_rule WHERE account = $1',
  statuses: 'SELECT status, count(*) FROM retention_rule GROUP BY status',
  remove: erasing('DELETE FROM retention_rule WHERE unique_identifier = $1'),
  removeRuns: 'DELETE FROM retention_run WHERE rule = $1',
  counting: `SELECT account, unique_identifier FROM retention_rule
    WHERE counting_since IS NOT NULL ORDER BY counting_since LIMIT ${FOUND}`,
  due: `SELECT account, unique_identifier FROM retention_rule
    WHERE status = 'enabled' AND counting_since IS NULL
      AND NOT EXISTS (SELECT 1 FROM retention_run AS ran
        WHERE ran.account = retention_rule.account AND ran.rule = retention_rule.unique_identifier
          AND ran.status = 'done' AND ran.began_at >= $1 AND ran.began_at < $2)
    ORDER BY unique_identifier LIMIT ${FOUND}`,
  refusing: `SELECT location, resource, after_days, spares FROM retention_rule
    WHERE account = $1 AND status = 'enabled' AND since = 'event_datetime'`,
  abandoned: `SELECT account, rule FROM retention_run
    WHERE status = 'running' AND NOT EXISTS (SELECT 1 FROM retention_rule AS its
      WHERE its.account = retention_run.account AND its.unique_identifier = retention_run.rule
        AND its.status = 'enabled' AND its.enabled_at = retention_run.enabled_at) LIMIT ${FOUND}`,
  stop: `UPDATE retention_rule SET status = 'stopped', stopped_because = $4, updated_at = $5,
      revision = revision + 1
    WHERE account = $1 AND unique_identifier = $2 AND enabled_at = $3 AND status = 'enabled'`,
  putRun: `${inserted(retentionRun)} ON CONFLICT (account, unique_identifier)
    DO UPDATE SET ${changed.join(', ')}`,
  runs: ({ limit, as }) => `${runs} WHERE rule = $1 AND unique_identifier < ${as('$2', 'text')}
    ORDER BY unique_identifier DESC LIMIT ${limit('$3')}`,
  ended: ({ limit }) =>
    `SELECT unique_identifier FROM retention_run WHERE ended_at < $1 LIMIT ${limit('$2')}`,
  purge: ({ among }) => `DELETE FROM retention_run WHERE ${among('unique_identifier', '$1')}`,
});

/** The ages before which records of account $1 are not removed. */
export const keeper = `SELECT unique_identifier, location, resource, since, at_least_days
  FROM "retention_rule" WHERE account = $1 AND at_least_days IS NOT NULL`;

export const book = (tables: BookTables, parts: BookParts) => new RetentionBook(tables, parts);

export const refuseTooOld = createRefuseTooOld;

const toRefusing = (
  row: readonly [string | null, string, after_days: number, spares: string | null],
): RefusingRule => {
  const [location, resource, after_days, spares] = row;
  return { location, resource, after_days, spares: spares && JSON.parse(spares) };
};

/** The rules of an account that refuse new records, as they were read at a time of this process. */
interface Read {
  readonly at: number;
  rules: readonly RefusingRule[] | Promise<readonly RefusingRule[]>;
}

export class RetentionBook extends Book {
  readonly #refusing = new BoundedMap<string, Read>(MAX_READ);

  async add(rule: StoredRetentionRule): Promise<void> {
    await this.tables.change(sql.add, ...newRow(retentionRule, rule));
    this.#refusing.clear();
  }

  /** `false`, with nothing done, if it was changed since it was read. */
  async replace(rule: StoredRetentionRule): Promise<boolean> {
    const replaced = await this.did(sql.replace, ...newRow(retentionRule, rule));
    this.#refusing.clear();
    return replaced;
  }

  readonly find = (unique_identifier: string) => this.first(toRule, sql.find, unique_identifier);

  /** The newest first, before that one. */
  readonly list = (accounts: readonly string[], before: string, limit: number) =>
    this.all(toRule, sql.list, accounts, before, limit);

  readonly count = (account: string) => this.counted(sql.count, account);

  async statuses(): Promise<ReadonlyMap<string, number>> {
    return new Map(await this.tables.rows<readonly [string, number]>(sql.statuses));
  }

  async remove(unique_identifier: string): Promise<void> {
    await this.tables.write([
      [sql.removeRuns, unique_identifier],
      [sql.remove, unique_identifier],
    ]);
    this.#refusing.clear();
  }

  readonly counting = () => this.all(toName, sql.counting);

  /** Lists rules that are enabled and have not run to their end on the day between those times. */
  readonly due = (from: number, until: number) => this.all(toName, sql.due, from, until);

  /** Rules by which new records of an account are refused, as they were within the last five seconds. */
  refusing(account: string): readonly RefusingRule[] | Promise<readonly RefusingRule[]> {
    const known = this.#refusing.get(account);
    if (known !== undefined && performance.now() - known.at <= FRESH_MS) return known.rules;
    const rules = this.all(toRefusing, sql.refusing, account);
    const read: Read = { at: performance.now(), rules };
    this.#refusing.set(account, read);
    const forget = () => {
      if (this.#refusing.get(account) === read) this.#refusing.delete(account);
    };
    rules.then((found) => {
      read.rules = found;
    }, forget);
    return rules;
  }

  /** Adds a run, or changes it. One that stopped by itself stops its rule in the same commit. */
  async putRun(run: StoredRetentionRun): Promise<void> {
    const { account, rule, enabled_at, stopped_because: why, ended_at } = run;
    const stops: BookWrite[] =
      why === null || why === 'paused'
        ? []
        : [[sql.stop, account, rule, enabled_at, why, ended_at]];
    await this.tables.write([[sql.putRun, ...newRow(retentionRun, run)], ...stops]);
    if (stops.length > 0) this.#refusing.clear();
  }

  /** Lists rules with a run that goes on although they were paused, changed or removed since. */
  readonly abandoned = () => this.all(toName, sql.abandoned);

  /** Lists runs of a rule, the newest first, before that one. */
  readonly runs = (rule: string, before: string, limit: number) =>
    this.all(toRun, sql.runs, rule, before, limit);

  /** Removes some runs that ended two years before that; returns whether there may be more. */
  readonly purge = (now: number) =>
    this.purgedAmong(sql.ended, sql.purge, now - ENDED_MS, PURGED_AT_ONCE);
}

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
export function createRefuseTooOld(
  store: Reads,
  shapes: readonly RecordShape[],
  now: () => number,
): RefuseTooOld {
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

  const tooOldIn = async (
    account: string,
    rules: readonly RefusingRule[],
    all: readonly Draft[],
  ) => {
    const drafts = all.filter(({ shape }) =>
      rules.some(({ resource }) => [shape.resource, shape.parent?.resource].includes(resource)),
    );
    if (drafts.length === 0) return [];
    const at = now();
    const [dates, seen] = await Promise.all([datesAbove(account, drafts), store.seenTime()]);
    // A clock that is far ahead of what the store has seen must not make systems forget records.
    const believed = notAheadOf(seen, at);
    const tooOld = drafts.filter((draft) => {
      const { shape, anchor = null, external_identifier, parent } = draft;
      const content = contentIn(draft, undefined, at);
      if (!('keys' in content)) return false;
      const record = { anchor, external_identifier, inserted_at: at, updated_at: at };
      const made = { shape, record, keys: () => content.keys };
      return isTooOld(rules, made, dates.get(parent), believed);
    });
    if (tooOld.length === 0) return [];
    // What a record belongs to stays while it is held, and so may the record.
    const keepers = await store.keepers(account);
    return tooOld.filter(({ anchor = null, parent }) => {
      return keepers.on([account, anchor, parent]) === undefined;
    });
  };

  return (drafts) => {
    const accounts = new Set(drafts.map(({ account }) => account));
    const found = [...accounts].map((account) => store.retention.refusing(account));
    if (found.every((rules) => !(rules instanceof Promise) && rules.length === 0)) return drafts;
    return Promise.all(found).then(async (refusing) => {
      const tooOld = [...accounts].map((account, at) => {
        const rules = refusing[at] ?? [];
        const own = drafts.filter((draft) => draft.account === account);
        return rules.length === 0 ? [] : tooOldIn(account, rules, own);
      });
      const refused = new Set((await Promise.all(tooOld)).flat());
      return drafts.map((draft) =>
        refused.has(draft)
          ? new TextDraft({ ...draft, isTooOld: true }, textOf(draft), keysOf(draft))
          : draft,
      );
    });
  };
}

function dateIn({ keys }: Pick<RecordShape, 'keys'>, columns: readonly string[]) {
  return columns[keys.findIndex(({ ages }) => ages)];
}

/** Whether a rule would remove the record as soon as it is made, for the date of its service; `above` is that of what it belongs to. */
function isTooOld(
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
