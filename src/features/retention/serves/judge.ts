/** Says of each record that is old enough for a rule what becomes of it. */

import type { Faults } from '../../../core/errors.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { readMembers } from '../../../core/schema/fields/members.ts';
import { filterMembers, filtersOf } from '../../../core/schema/filters.ts';
import { comparisonsIn } from '../../../core/schema/parse/parse-list.ts';
import { keyValue, type RecordShape } from '../../../core/schema/shape.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import { whereOf } from '../../../records/query/page.ts';
import type { Filter, Store, StoredRecord } from '../../../store/promises/store.ts';
import { meetsAll } from '../../../store/records/met.ts';
import type { RetentionGoing } from '../declares/run.ts';
import type { StoredRetentionRule } from '../declares.ts';

/** Records below one that are counted. */
const MOST_BELOW = 10_000;

export type AgeVerdict = 'goes' | 'held' | 'spared';

export class Judge {
  readonly #store: Store;
  readonly #rule: StoredRetentionRule;
  readonly #resource: Resource;
  readonly #spares: Spares;
  /** Resources whose records belong to this one. */
  readonly children: readonly Resource[];

  constructor(
    store: Store,
    resources: readonly Resource[],
    { rule, resource }: { rule: StoredRetentionRule; resource: Resource },
  ) {
    this.#store = store;
    this.#rule = rule;
    this.#resource = resource;
    this.#spares = sparing(resource, rule.spares);
    this.children = resources.filter(({ parent }) => parent === resource);
  }

  async verdicts(records: readonly StoredRecord[]): Promise<readonly AgeVerdict[]> {
    const { account, unique_identifier: own } = this.#rule;
    const keepers = await this.#store.keepers(account);
    // What is old enough for this rule is old enough for its own `at_least_days`.
    const limitsOwn = keepers.limits(this.#rule.resource, own);
    const limitsBelow = this.children.some(({ name }) => keepers.limits(name, own));
    const verdicts: AgeVerdict[] = [];
    for (const record of records) {
      const isHeld = async () =>
        keepers.over(record, true) !== undefined ||
        (limitsOwn && (await this.#isYoung(record))) ||
        (limitsBelow && (await this.isKept(record.unique_identifier)));
      if (this.#spares(record)) verdicts.push('spared');
      else verdicts.push((await isHeld()) ? 'held' : 'goes');
    }
    return verdicts;
  }

  async #isYoung({ unique_identifier: record }: StoredRecord): Promise<boolean> {
    const { account, resource } = this.#rule;
    return (await this.#store.erasing.keptBy({ resource, account, record })) !== undefined;
  }

  /** Whether something that belongs to a record has to stay, so that all of it does: a removal would be refused. */
  async isKept(record: string): Promise<boolean> {
    if (this.children.length === 0) return false;
    const { shape } = this.#resource;
    const { account, unique_identifier: by } = this.#rule;
    const outcome = await this.#store.remove({
      shape,
      account,
      unique_identifier: record,
      cascade: true,
      by,
      rehearse: true,
    });
    return outcome.outcome === 'refused' && outcome.error.code === 'record_held';
  }

  /** How many records belong to one, by resource. */
  async countBelow(record: string): Promise<ReadonlyMap<string, number>> {
    const counts = await Promise.all(
      this.children.map(async ({ name, shape }) => {
        const { account } = this.#rule;
        const scope = { accounts: new Set([account]), anchors: undefined };
        const where = [{ by: 'parent', is: '=', value: record }] as const;
        return [name, await this.#store.count({ shape, scope, where, limit: MOST_BELOW })] as const;
      }),
    );
    return new Map(counts.filter(([, count]) => count > 0));
  }

  /** Some of the records that belong to one, which go with it as it is. */
  async below(
    { unique_identifier: record, version: parent_version }: StoredRecord,
    limit: number,
  ): Promise<readonly RetentionGoing[]> {
    const found: RetentionGoing[] = [];
    for (const { name, shape } of this.children) {
      const page = await this.#store.list({
        shape,
        scope: { accounts: new Set([this.#rule.account]), anchors: undefined },
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
}

const BYTES = 1_048_576;

/** Whether a record is spared. */
type Spares = (record: StoredRecord) => boolean;

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

/** By filters that were read when the rule was made. */
function sparing({ shape }: Resource, spares: readonly unknown[] | null): Spares {
  if (spares === null) return () => false;
  return (record) =>
    meetsAll(spares as readonly Filter[], {
      shape,
      record,
      keys: () => keysOf(shape, JSON.parse(record.document) as JsonObject),
    });
}

function keysOf({ keys }: RecordShape, document: JsonObject): readonly string[] {
  return keys.map((key) => keyValue(key, document) ?? '');
}
