/** Finds records before and after changes, from what they are now. */
import { BoundedMap } from '../core/bounded.ts';
import type { RecordShape } from '../core/schema/shape.ts';
import type { LoggedChange } from './promises/log.ts';
import { type Store, type StoredRecord, wholeAccount } from './promises/store.ts';
import { parseDocument } from './records/records.ts';
import { type DocumentVersion, type VersionStep, versions } from './records/versions.ts';

/** Accounts of which the walk through a record is remembered, and how much of each: it has many versions. */
const MAX_WALKS = 256;
const WALK_BYTES = 131_072;
const WALK_PLACES = 16;

/** A document, and the position of the change that left it so. */
interface Passed {
  readonly position: number;
  readonly after: DocumentVersion;
}

/** A change; with the record before and after it where that was asked for, as far as the log still has it. */
export type FollowedChange = Pick<VersionStep, 'change'> & Partial<VersionStep>;

type Steps = Map<LoggedChange, VersionStep>;

export function createSteps(
  { log, findAll }: Pick<Store, 'log' | 'findAll'>,
  shapes: readonly RecordShape[],
) {
  /** Places of a walk, the newest first: one that looks for later changes begins there. */
  const walks = new BoundedMap<string, { readonly record: string; readonly passed: Passed[] }>(
    MAX_WALKS,
  );
  const byName = new Map(shapes.map((shape) => [shape.resource, shape]));

  const newestOf = async (
    { account, record, resource }: LoggedChange,
    now: StoredRecord | undefined,
  ): Promise<Passed> => {
    if (now) return { position: now.position, after: parseDocument(now.document) };
    const gone = await log.gone(resource, record, [account]);
    return { position: gone?.position ?? 0, after: 'gone' };
  };

  async function* walk(
    wanted: readonly [LoggedChange, ...LoggedChange[]],
    now: StoredRecord | undefined,
    found: Steps,
  ): AsyncGenerator<void, void> {
    const [{ account, record }] = wanted;
    const byPlace = new Map(wanted.map((one) => [placeOf(one), one]));
    const [first, last] = [wanted[0].position, wanted.at(-1)?.position ?? 0];
    const before = walks.get(account);
    let passed = before?.record === record ? before.passed : [];
    passed = passed.filter(({ position }) => position >= last);
    const from = passed.at(-1) ?? (await newestOf(wanted[0], now));
    const most = Math.floor(WALK_BYTES / (now?.document.length ?? WALK_BYTES));
    let { position, after } = from;
    if (position < first) return;
    for await (const changes of log.back({ account, record, position })) {
      for (const step of versions(changes, after)) {
        const one = byPlace.get(placeOf(step.change));
        byPlace.delete(placeOf(step.change));
        if (one) found.set(one, { ...step, change: one });
        after = step.before;
      }
      position = changes.at(-1)?.before ?? 0;
      if (position < first || byPlace.size === 0) return;
      if (position >= last) {
        passed = [...thinned(passed, most), { position, after }];
        walks.set(account, { record, passed });
      }
      yield;
    }
  }

  return {
    /** Finds the steps of some changes of an account, in their order, as far as the log still has them; others may go on at each `yield`. */
    async *find(
      account: string,
      changes: readonly LoggedChange[],
    ): AsyncGenerator<void, ReadonlyMap<LoggedChange, VersionStep>> {
      const found: Steps = new Map();
      for (const [name, some] of Map.groupBy(changes, ({ resource }) => resource)) {
        const shape = byName.get(name);
        const byRecord = Map.groupBy(some, ({ record }) => record);
        const all = shape ? await findAll(shape, [...byRecord.keys()], wholeAccount(account)) : [];
        const records = new Map(all.map((one) => [one.unique_identifier, one]));
        for (const [record, [change, ...others]] of byRecord) {
          const now = records.get(record);
          if (change === undefined) continue;
          // Most are as they were made.
          if (change.outcome === 'created' && others.length === 0 && now?.version === 1)
            found.set(change, { change, before: 'gone', after: parseDocument(now.document) });
          else yield* walk([change, ...others], now, found);
        }
      }
      return found;
    },
    /** Forgets what is remembered of an account: its log is read to the end, or content of it is gone. */
    forget: (account: string): void => walks.delete(account),
  };
}

/** Every other one, where there are too many; the last one stays. */
function thinned(passed: readonly Passed[], most: number): readonly Passed[] {
  const room = Math.min(most, WALK_PLACES) - 1;
  if (passed.length <= room) return passed;
  return room < 1 ? [] : passed.filter((_, at) => (passed.length - at) % 2 === 1);
}

const placeOf = ({ position, place }: LoggedChange) => `${position} ${place}`;
