/** Finds what prevents the removal of records of an account: what keeps them where they are, or until an age. */
import type { RecordShape } from '../../../core/schema/shape.ts';
import { featureKeepers } from '../../../features/store.ts';
import { keyColumn, tableOf } from '../../names.ts';
import { type Age, type AgeRule, dateKey, isYoung } from '../../records/aged.ts';
import { statements } from '../tables.ts';

export type KeeperRow =
  | readonly [hold: string, record: string, above: string, since: null, at_least_days: null]
  | readonly [rule: string, ...of: [location: string | null, resource: string, ...age: AgeLimit]];
type AgeLimit = [since: string, at_least_days: number];

/** It gives the columns their types. */
const NONE = `SELECT CAST($1 AS text), CAST(NULL AS text), CAST(NULL AS text), CAST(NULL AS text),
  CAST(NULL AS bigint) WHERE false`;

export const keeperStatements = statements({
  /** Read by commits while account $1 is locked for other writers. */
  active: `${[NONE, ...featureKeepers].join(' UNION ALL ')} ORDER BY 1`,
});

/** Where a record is. */
interface RecordPlace {
  readonly account: string;
  readonly unique_identifier: string;
  readonly anchor: string | null;
  /** Its parent. No record is further below its anchor than that. */
  readonly parent?: string | null | undefined;
}

export class Keepers {
  /** The unique identifier of the first hold. */
  readonly hold: string | undefined;
  /** Each with the record, which may be the account, and all that it belongs to. */
  readonly #holds: readonly (readonly [hold: string, record: string, above: readonly string[]])[];
  readonly #rules: readonly (AgeRule & {
    readonly unique_identifier: string;
    readonly resource: string;
  })[];

  constructor(rows: readonly KeeperRow[]) {
    this.#holds = rows.flatMap((row) =>
      row[3] === null ? [[row[0], row[1], JSON.parse(row[2])] as const] : [],
    );
    this.#rules = rows.flatMap((row) => {
      if (row[3] === null) return [];
      const [unique_identifier, location, resource, since, at_least_days] = row;
      return { unique_identifier, location, resource, since, at_least_days };
    });
    this.hold = this.#holds[0]?.[0];
  }

  get isEmpty(): boolean {
    return this.#holds.length + this.#rules.length === 0;
  }

  /** The hold that covers a record; with `below`, also one of something that belongs to it. */
  over({ account, unique_identifier, anchor, parent }: RecordPlace, below = false) {
    const records = [account, anchor, parent, unique_identifier];
    return this.on(records, below ? unique_identifier : undefined);
  }

  /** The hold on one of these records, or on one below `top`. */
  on(records: readonly (string | null | undefined)[], top = ''): string | undefined {
    return this.#holds.find(
      ([, record, above]) => records.includes(record) || above.includes(top),
    )?.[0];
  }

  /** Whether records of a resource are to reach an age, by rules other than that one. */
  limits(resource: string, except?: string): boolean {
    return this.#rules.some(
      (rule) => rule.resource === resource && rule.unique_identifier !== except,
    );
  }

  /** The rule by which one of these is too young to go. */
  young(all: readonly { readonly resource: string; readonly ages: readonly Age[] }[], now: number) {
    return this.#rules.find((rule) =>
      all.some(({ resource, ages }) => resource === rule.resource && isYoung(rule, ages, now)),
    )?.unique_identifier;
  }
}

/**
 * The SQL of the ages of records, `below`: of the youngest at each location. `join` finds what they belong to, `above`,
 * which has the date of some.
 */
export function selectAges(
  [shape, parents]: readonly [RecordShape, RecordShape],
  join: string,
): string {
  const [own, key] = [dateKey(shape), dateKey(parents)];
  const joined = own === undefined && key !== undefined;
  const dated = own ?? key;
  const date = dated && `${joined ? 'above' : 'below'}.${keyColumn(dated)}`;
  return `SELECT below.anchor, max(below.inserted_at), max(below.updated_at), max(${date ?? 'NULL'})
    FROM ${tableOf(shape)} AS below ${joined ? join : ''}`;
}
