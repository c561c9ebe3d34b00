/** The changes in a store since the previous file, as the parts of the next one. */
import type { LoggedChange } from '../../../store/promises/log.ts';
import type {
  AccountImage,
  Batches,
  ReceiptImage,
  Snapshot,
} from '../../../store/promises/snapshot.ts';
import type { Positions } from '../format.ts';
import { once, type Part } from '../parts.ts';
import { createDigests } from '../verify/digest.ts';

/** The log does not have all changes, or there are too many: a whole backup must be written. */
export class Unfollowable extends Error {
  override readonly name = 'Unfollowable';
}

/** The most changes in an increment: the unique identifiers of its records are in memory. */
const MAX_CHANGES = 200_000;
const AT_ONCE = 200;
/** How much later than its time a commit may be done. */
const LATE_MS = 60_000;

/** Parts that, while they are read, note the marks of changes and receipts, and digests of what is included whole. */
export function createPositions(
  parts: readonly Part[],
  from: Positions = { changes: {}, receipts: 0 },
) {
  const changes = { ...from.changes };
  const wholes = createDigests();
  let receipts: number = from.receipts;

  async function* watched(part: Part, rows: Batches<object>): Batches<object> {
    for await (const batch of part.kind === 'whole' ? wholes.of(part, rows) : rows) {
      if (part.kind === 'changes')
        for (const { account, position, token } of batch as readonly LoggedChange[])
          changes[account] = [position, token];
      if (part.kind === 'receipts')
        for (const { expires_at } of batch as readonly ReceiptImage[])
          receipts = Math.max(receipts, expires_at);
      yield batch;
    }
  }

  return {
    parts: parts.map((part): Part => {
      return { ...part, read: (snapshot) => watched(part, part.read(snapshot)) };
    }),
    get marks(): Positions {
      return { changes, receipts };
    },
    get digests() {
      return wholes.digests;
    },
  };
}

/** The state as of the previous file. */
export interface Before {
  readonly marks: Positions;
  readonly taken_at: number;
  /** Digests of parts that are included whole, if known. */
  readonly digests: Readonly<Record<string, string>>;
}

/**
 * The parts of the next increment; `undefined` if nothing has changed, unless they are always wanted. Throws
 * `Unfollowable` here, or while the parts are read, which must be read in order.
 */
export async function partsSince(
  snapshot: Snapshot,
  parts: readonly Part[],
  before: Before,
  always: boolean,
) {
  const digests = createDigests();
  const wholes: Part[] = [];
  let accounts: readonly AccountImage[] = [];
  for (const part of parts.filter(({ kind }) => kind === 'whole')) {
    const rows = (await Array.fromAsync(digests.of(part, part.read(snapshot)))).flat();
    if (part === parts[0]) accounts = rows as readonly AccountImage[];
    if (before.digests[part.name] !== digests.digests[part.name])
      wholes.push({ ...part, read: () => once(rows) });
  }
  const { marks, taken_at } = before;
  const there = new Set(accounts.map(({ unique_identifier }) => unique_identifier));
  if (Object.keys(marks.changes).some((account) => !there.has(account))) throw new Unfollowable();
  const tables = parts.flatMap(({ kind, table }) =>
    kind === 'whole' || table === undefined ? [] : [table],
  );
  const later = [
    snapshot.receipts(marks.receipts),
    ...tables.map((table) => snapshot.rows(table, taken_at)),
  ];
  if (!always && wholes.length === 0 && (await areEmpty(later))) return undefined;
  const touched = new Map<string, Set<string>>();
  const own = new Set<string>();
  const late = (part: Part): Part => {
    if (part.kind === 'changes')
      return { ...part, read: () => changesSince(snapshot, there, marks, touched, own) };
    if (part.kind === 'receipts')
      return { ...part, read: () => snapshot.receipts(marks.receipts - LATE_MS) };
    const { table } = part;
    if (table !== undefined)
      return { ...part, read: () => snapshot.rows(table, taken_at - LATE_MS) };
    return { ...part, read: () => recordsNow(snapshot, part, touched, own) };
  };
  const of = (kinds: readonly Part['kind'][]) =>
    parts.filter(({ kind }) => kinds.includes(kind)).map(late);
  return {
    parts: [...of(['changes']), ...wholes, ...of(['records', 'receipts', 'later'])],
    digests: digests.digests,
  };
}

async function* changesSince(
  snapshot: Snapshot,
  accounts: ReadonlySet<string>,
  marks: Positions,
  touched: Map<string, Set<string>>,
  own: Set<string>,
): Batches<LoggedChange> {
  let count = 0;
  for (const account of accounts) {
    const mark = marks.changes[account];
    let known = mark === undefined;
    for await (const batch of snapshot.changesFrom(account, mark?.[0] ?? 0)) {
      const later: LoggedChange[] = [];
      for (const change of batch) {
        if (change.position === mark?.[0]) {
          known = change.token === mark[1];
          continue;
        }
        // The log does not have the records that a wipe removed, and a damaged change does not name its record.
        if (!known || change.outcome === 'wiped' || change.damaged) throw new Unfollowable();
        const { resource, record } = change;
        touched.getOrInsertComputed(resource, () => new Set()).add(record);
        own.add(account);
        later.push(change);
      }
      count += later.length;
      if (count > MAX_CHANGES) throw new Unfollowable();
      if (later.length > 0) yield later;
    }
    if (!known) throw new Unfollowable();
  }
}

/** Each record in its current state, or as removed. */
async function* recordsNow(
  snapshot: Snapshot,
  { shape }: Part,
  touched: ReadonlyMap<string, ReadonlySet<string>>,
  accounts: ReadonlySet<string>,
) {
  if (shape === undefined) throw new TypeError('Records have a shape.');
  const names = [...(touched.get(shape.resource) ?? [])];
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE);
    const standing = await snapshot.findAll(shape, some, { accounts, anchors: undefined });
    const left = new Set(some);
    for (const { unique_identifier } of standing) left.delete(unique_identifier);
    const gone = left.size === 0 ? [] : await Array.fromAsync(snapshot.gone(shape, [...left]));
    for (const { unique_identifier } of gone.flat()) left.delete(unique_identifier);
    const removed = [...left].map((unique_identifier) => ({
      unique_identifier,
      removed: true as const,
    }));
    yield [...standing, ...gone.flat(), ...removed];
  }
}

async function areEmpty(all: readonly Batches<object>[]): Promise<boolean> {
  for (const rows of all) {
    for await (const batch of rows) if (batch.length > 0) return false;
  }
  return true;
}
