/** Checks the log of changes for consistency: its order, what it retains, and that each change follows the previous one of its record. */
import { changeId } from '../../../core/schema/change-id.ts';
import { stringify } from '../../../core/schema/json/json.ts';
import type { LoggedChange } from '../../../store/promises/log.ts';
import type { Snapshot } from '../../../store/promises/snapshot.ts';
import { parseDocument } from '../../../store/records/records.ts';
import type { BackedUp } from '../parts.ts';

/** A record, and a commit that is said to have changed it. */
export interface ChangedRecord {
  readonly unique_identifier: string;
  readonly account: string;
  readonly position: number;
}

/** In words, of the record or the change that is named first. */
export type OnFault = (fault: string) => void;

export function createLogCheck(snapshot: Snapshot, resources: readonly BackedUp[]) {
  const shapes = new Map(resources.map(({ shape }) => [shape.resource, shape]));
  /** By account, the position from which the log is retained. */
  const first = new Map<string, number>();
  let last: LoggedChange | undefined;

  function faultsOf(change: LoggedChange): readonly string[] {
    const { account, position, place, token, occurred_at, resource, outcome, content } = change;
    const faults: string[] = [];
    const earlier = last?.account === account ? last : undefined;
    if (earlier?.position === position) {
      if (place <= earlier.place) faults.push('it is not behind the one before it');
      if (token !== earlier.token || occurred_at !== earlier.occurred_at) {
        faults.push('it does not agree with the other changes of its commit');
      }
    } else if (position < (earlier?.position ?? 0))
      faults.push('it is not behind the one before it');
    const shape = shapes.get(resource);
    if (change.damaged) faults.push('it is damaged');
    else if (shape === undefined) faults.push('it is of no resource');
    else if (content !== null && !isCanonical(content)) {
      faults.push('what it keeps is not written as it should be');
    } else if (outcome === 'created' && (change.version !== 1 || change.before !== 0)) {
      faults.push('its record was there before it was created');
    }
    return faults;
  }

  async function at(wanted: readonly ChangedRecord[]) {
    const changes = wanted.length === 0 ? [] : await snapshot.changesAt(wanted);
    return Map.groupBy(changes, ({ account, record, position }) =>
      nameOf(account, record, position),
    );
  }

  return {
    /** Some changes, in the order of the log. */
    async check(changes: readonly LoggedChange[], found: OnFault): Promise<void> {
      const followers: LoggedChange[] = [];
      for (const change of changes) {
        const { account, position, before, outcome } = change;
        const begin = first.get(account) ?? position;
        first.set(account, begin);
        const name = `change ${changeId(account, change)} of ${account}`;
        for (const fault of faultsOf(change)) found(`${name}: ${fault}`);
        last = change;
        if (!change.damaged && outcome !== 'wiped' && before > begin) followers.push(change);
      }
      const wanted = followers.map(({ record, account, before }) => {
        return { unique_identifier: record, account, position: before };
      });
      const all = await at(wanted);
      for (const change of followers) {
        const { account, record, before, version } = change;
        const previous = all
          .get(nameOf(account, record, before))
          ?.findLast(({ position, place }) => position < change.position || place < change.place);
        const name = `change ${changeId(account, change)} of ${account}`;
        if (previous === undefined) {
          found(`${name}: the change of ${record} before it, at position ${before}, is missing`);
        } else if (!previous.damaged && previous.version !== version - 1) {
          found(`${name}: version ${version} of ${record} follows version ${previous.version}`);
        }
      }
    },
    /** Whether the newest change of each of these records left it as it is: at that version, or removed. */
    async checkRecords<Row extends ChangedRecord>(
      rows: readonly Row[],
      versionOf: (row: Row) => number | 'removed',
      found: (row: Row, fault: string) => void,
    ): Promise<void> {
      const wanted = rows.filter(
        ({ account, position }) => position > (first.get(account) ?? Number.POSITIVE_INFINITY),
      );
      const all = await at(wanted);
      for (const row of wanted) {
        const { account, unique_identifier, position } = row;
        const newest = all.get(nameOf(account, unique_identifier, position))?.at(-1);
        const version = versionOf(row);
        if (newest === undefined) {
          found(row, `the log does not have its last change, at position ${position}`);
        } else if (newest.damaged) {
          // It was reported where the log was read.
        } else if (
          version === 'removed' ? newest.outcome !== 'deleted' : newest.version !== version
        ) {
          found(row, `its version is not that of its last change, at position ${position}`);
        }
      }
    },
  };
}

function nameOf(account: string, record: string, position: number): string {
  return `${account} ${record} ${position}`;
}

/** Whether a text is an object as it is stored. */
function isCanonical(text: string): boolean {
  try {
    return stringify(parseDocument(text)) === text;
  } catch {
    return false;
  }
}
