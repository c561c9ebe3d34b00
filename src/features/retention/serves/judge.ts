/** Says of each record that is old enough for a rule what becomes of it. */
import type { Faults } from '../../../core/errors.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { readMembers } from '../../../core/schema/fields/members.ts';
import { filterMembers, filtersOf } from '../../../core/schema/filters.ts';
import { comparisonsIn } from '../../../core/schema/parse/parse-list.ts';
import { keyValue } from '../../../core/schema/shape.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import { whereOf } from '../../../records/query/page.ts';
import {
  type Filter,
  type Store,
  type StoredRecord,
  wholeAccount,
} from '../../../store/promises/store.ts';
import { meetsAll } from '../../../store/records/requirements.ts';
import type { RetentionRemoval, StoredRetentionRule } from '../declares.ts';

/** Records below one that are counted. */
const MOST_BELOW = 10_000;
const BYTES = 1_048_576;

export type AgeVerdict = 'goes' | 'held' | 'spared';

export function createJudge(
  store: Store,
  resources: readonly Resource[],
  { rule, resource }: { rule: StoredRetentionRule; resource: Resource },
) {
  /** Resources whose records belong to this one. */
  const children = resources.filter(({ parent }) => parent === resource);
  const scope = wholeAccount(rule.account);

  async function verdicts(records: readonly StoredRecord[]): Promise<readonly AgeVerdict[]> {
    const own = rule.unique_identifier;
    const keepers = await store.keepers(rule.account);
    // What is old enough for this rule is old enough for its own `at_least_days`.
    const limitsOwn = keepers.limits(rule.resource, own);
    const limitsBelow = children.some(({ name }) => keepers.limits(name, own));
    const verdicts: AgeVerdict[] = [];
    for (const record of records) {
      const isHeld = async () =>
        keepers.over(record, true) !== undefined ||
        (limitsOwn && (await isYoung(record))) ||
        (limitsBelow && (await isRetained(record.unique_identifier)));
      if (isSpared(record)) verdicts.push('spared');
      else verdicts.push((await isHeld()) ? 'held' : 'goes');
    }
    return verdicts;
  }

  /** By filters that were read when the rule was made. */
  function isSpared(record: StoredRecord): boolean {
    if (rule.spares === null) return false;
    const { shape } = resource;
    const keys = () => {
      const document = JSON.parse(record.document) as JsonObject;
      return shape.keys.map((key) => keyValue(key, document) ?? '');
    };
    return meetsAll(rule.spares as readonly Filter[], { shape, record, keys });
  }

  async function isYoung({ unique_identifier: record }: StoredRecord): Promise<boolean> {
    const { account, resource } = rule;
    return (await store.erasing.keeperOf({ resource, account, record })) !== undefined;
  }

  /** Whether something that belongs to a record has to stay, so that all of it does: a removal would be refused. */
  async function isRetained(record: string): Promise<boolean> {
    if (children.length === 0) return false;
    const { account, unique_identifier: by } = rule;
    const removal = { shape: resource.shape, account, unique_identifier: record, by };
    const rehearsed = await store.remove({ ...removal, cascade: true, rehearse: true });
    return rehearsed.outcome === 'refused' && rehearsed.error.code === 'record_held';
  }

  /** How many records belong to one, by resource. */
  async function countBelow(record: string): Promise<ReadonlyMap<string, number>> {
    const counts = await Promise.all(
      children.map(async ({ name, shape }) => {
        const where = [{ by: 'parent', is: '=', value: record }] as const;
        return [name, await store.count({ shape, scope, where, limit: MOST_BELOW })] as const;
      }),
    );
    return new Map(counts.filter(([, count]) => count > 0));
  }

  /** Some of the records that belong to one, which go with it as it is. */
  async function below(
    { unique_identifier: record, version: parent_version }: StoredRecord,
    limit: number,
  ): Promise<readonly RetentionRemoval[]> {
    const found: RetentionRemoval[] = [];
    for (const { name, shape } of children) {
      const page = await store.list({
        shape,
        scope,
        where: [{ by: 'parent', is: '=', value: record }],
        order: 'newest',
        limit: limit - found.length,
        bytes: BYTES,
      });
      for (const { unique_identifier, version } of page.records)
        found.push({ resource: name, record: unique_identifier, version, parent_version });
      if (found.length >= limit) break;
    }
    return found;
  }

  return { verdicts, isRetained, countBelow, below };
}

/** The filters as they are stored. The result is only valid if no fault was added. */
export function readUnless(resource: Resource, sent: JsonObject, faults: Faults): JsonObject {
  const above = filtersOf(resource).flatMap(({ above, steps: [first = ''] }) =>
    above ? [first] : [],
  );
  const all = Object.entries(filterMembers(resource)).filter(([name]) => !above.includes(name));
  const members = Object.fromEntries(all);
  const before = faults.count;
  const reading = { encoding: 'json', faults, unknown: 'refuse', always: 'here' } as const;
  const read = readMembers(members, sent, 'unless.', reading);
  if (faults.count === before && comparisonsIn(resource, read).length === 0) {
    const names = all.map(([name]) => name).join(', ');
    const message = `unless has no filter: send one of ${names}, or leave it out.`;
    faults.add('unless', 'value_invalid', message);
  }
  return read;
}

/** Exceptions as filters, by which stores compare records with them. */
export function sparesOf(resource: Resource, unless: JsonObject | null): readonly Filter[] | null {
  return unless === null ? null : whereOf(comparisonsIn(resource, unless));
}
