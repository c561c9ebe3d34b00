/**
 * Judges what several clients saw of one account: whether there is one order of all its changes, that of its log, in
 * which each request happened at one moment between when it was sent and when its answer was there.
 */

/** A change, as the log has it at the end. `mark`: what the write had sent that made it; a removal has none. */
export interface Logged {
  readonly record: string;
  readonly version: number;
  readonly outcome: string;
  readonly mark?: string;
}

/** When a request was sent and when its answer was there, by one clock; `ended` is endless where none came. */
interface Asked {
  readonly began: number;
  readonly ended: number;
}

/** `seen`: what the answer said became of the record. */
export interface Written extends Asked {
  readonly does: 'write';
  readonly mark: string;
  readonly seen?: { readonly record: string; readonly version: number };
}

/** Several that are written whole or not at all. */
export interface WrittenWhole extends Asked {
  readonly does: 'write whole';
  readonly marks: readonly string[];
}

export interface Removed extends Asked {
  readonly does: 'remove';
  readonly record: string;
}

/** Without a mark the record was not there any more. */
export interface Read extends Asked {
  readonly does: 'read';
  readonly record: string;
  readonly mark?: string;
}

/** All records that were there, with their marks. */
export interface Listed extends Asked {
  readonly does: 'list';
  readonly marks: ReadonlyMap<string, string>;
}

/** A page of the log, after those of the same follower before. `isLast`: the log ended with it. */
export interface Followed extends Asked {
  readonly does: 'follow';
  readonly by: number;
  readonly changes: readonly Logged[];
  readonly isLast: boolean;
}

export type Act = Written | WrittenWhole | Removed | Read | Listed | Followed;

/** Places in the log: an act happened after `from` and before `until`; a write is both. */
interface Place extends Asked {
  readonly says: string;
  readonly from: number;
  readonly until: number;
  readonly isWrite?: boolean;
}

const NEVER = Number.POSITIVE_INFINITY;
const START = -1;

/** What is wrong with it, each in a sentence; none where all of it fits one order. */
export function faultsOf(acts: readonly Act[], log: readonly Logged[]): readonly string[] {
  const faults: string[] = [];
  const records = Map.groupBy(
    log.map((entry, at) => ({ ...entry, at })),
    ({ record }) => record,
  );
  for (const [record, entries] of records) {
    const versions = entries.map(({ version }) => version);
    if (versions.some((version, nth) => version !== nth + 1))
      faults.push(`the log has versions ${versions.join(', ')} of ${record}`);
    const ends = entries.findIndex(({ outcome }) => outcome === 'deleted');
    if (ends >= 0 && ends < entries.length - 1) faults.push(`${record} changed after its removal`);
  }

  const places = new Map<string, number>();
  for (const [at, { mark }] of log.entries()) {
    if (mark === undefined) continue;
    if (places.has(mark)) faults.push(`${mark} is in the log twice`);
    places.set(mark, at);
  }
  const sent = new Set(
    acts.flatMap((act) =>
      act.does === 'write' ? act.mark : act.does === 'write whole' ? act.marks : [],
    ),
  );
  for (const mark of places.keys())
    if (!sent.has(mark)) faults.push(`${mark} was never sent, and is in the log`);

  /** Until what a mark wrote of a record was followed by something else. */
  const nextOf = ({ record, version }: Logged): number =>
    records.get(record)?.[version]?.at ?? NEVER;
  const removedAt = (record: string): number =>
    records.get(record)?.find(({ outcome }) => outcome === 'deleted')?.at ?? NEVER;
  const createdAt = (record: string): number => records.get(record)?.[0]?.at ?? NEVER;
  const seenOf = (record: string, mark: string): [number, number] | undefined => {
    const at = places.get(mark) ?? NEVER;
    const entry = log[at];
    if (entry?.record === record) return [at, nextOf(entry)];
    faults.push(`${record} was shown with ${mark}, which the log has not`);
    return undefined;
  };

  const placed: Place[] = [];
  const followers = new Map<number, number>();
  const removals = new Set<string>();
  for (const act of acts) {
    const { began, ended } = act;
    const isAnswered = ended !== NEVER;
    switch (act.does) {
      case 'write': {
        const at = places.get(act.mark);
        if (at !== undefined)
          placed.push({ began, ended, says: act.mark, from: at, until: at, isWrite: true });
        else if (isAnswered) faults.push(`${act.mark} was answered, and is not in the log`);
        const { seen } = act;
        const entry = log[at ?? NEVER];
        if (seen !== undefined && entry !== undefined)
          if (seen.record !== entry.record || seen.version !== entry.version)
            faults.push(`${act.mark} was answered as version ${seen.version} of ${seen.record}`);
        break;
      }
      case 'write whole': {
        const found = act.marks.map((mark) => places.get(mark) ?? NEVER);
        const [first = NEVER] = found;
        const isWhole = found.every((at, nth) => at === first + nth);
        if (first === NEVER ? isAnswered : !isWhole)
          faults.push(`${act.marks.join(', ')} are not whole in the log`);
        else if (first === NEVER && found.some((at) => at !== NEVER))
          faults.push(`${act.marks.join(', ')} are half in the log`);
        for (const [nth, at] of found.entries())
          if (at !== NEVER)
            placed.push({
              ...{ began, ended, says: act.marks[nth] ?? '', from: at, until: at, isWrite: true },
            });
        break;
      }
      case 'remove': {
        const at = removedAt(act.record);
        if (isAnswered && removals.has(act.record)) faults.push(`${act.record} was removed twice`);
        if (isAnswered) removals.add(act.record);
        if (at !== NEVER && isAnswered)
          placed.push({
            began,
            ended,
            says: `removed ${act.record}`,
            from: at,
            until: at,
            isWrite: true,
          });
        else if (isAnswered) faults.push(`${act.record} was removed, and the log has it not`);
        break;
      }
      case 'read': {
        const says = `read ${act.record} as ${act.mark ?? 'gone'}`;
        const seen =
          act.mark === undefined
            ? ([removedAt(act.record), NEVER] as const)
            : seenOf(act.record, act.mark);
        if (seen?.[0] === NEVER) faults.push(`${act.record} was not found, and is not removed`);
        else if (seen !== undefined)
          placed.push({ began, ended, says, from: seen[0], until: seen[1] });
        break;
      }
      case 'list': {
        let [from, until] = [START, NEVER];
        for (const [record, mark] of act.marks) {
          const seen = seenOf(record, mark);
          if (seen === undefined) continue;
          from = Math.max(from, seen[0]);
          until = Math.min(until, seen[1]);
        }
        const absent = [...records.keys()].filter((record) => !act.marks.has(record));
        // What one absent record narrows may decide of another.
        for (let before = Number.NaN; before !== from + until * 2; ) {
          before = from + until * 2;
          for (const record of absent) {
            const [made, gone] = [createdAt(record), removedAt(record)];
            if (from >= gone || until <= made) continue;
            if (from >= made) from = gone;
            else if (until <= gone) until = made;
          }
          if (from === NEVER) break;
        }
        const says = `a list of ${act.marks.size} records`;
        if (from >= until) faults.push(`${says} shows what never was at one moment`);
        else placed.push({ began, ended, says, from, until });
        break;
      }
      case 'follow': {
        const start = followers.get(act.by) ?? 0;
        const end = start + act.changes.length;
        const same = act.changes.every(({ record, version, outcome }, nth) => {
          const entry = log[start + nth];
          return entry?.record === record && entry.version === version && entry.outcome === outcome;
        });
        if (!same) faults.push(`follower ${act.by} was shown otherwise than the log from ${start}`);
        followers.set(act.by, end);
        const until = act.isLast ? end : NEVER;
        placed.push({ began, ended, says: `follower ${act.by} at ${end}`, from: end - 1, until });
      }
    }
  }
  for (const [by, end] of followers)
    if (end !== log.length) faults.push(`follower ${by} has seen ${end} of ${log.length} changes`);
  for (const record of records.keys()) {
    const wanted = acts.some((act) => act.does === 'remove' && act.record === record);
    if (removedAt(record) !== NEVER && !wanted) faults.push(`${record} went by itself`);
  }
  return [...faults, ...outOfOrder(placed)];
}

/** What began after something had ended that comes later in the log. */
function outOfOrder(placed: readonly Place[]): readonly string[] {
  const ended = placed.toSorted((one, other) => one.ended - other.ended);
  let passed = 0;
  let last: Place | undefined;
  return placed
    .toSorted((one, other) => one.began - other.began)
    .flatMap((act) => {
      for (; (ended[passed]?.ended ?? NEVER) < act.began; passed += 1) {
        const next = ended[passed] as Place;
        if (last === undefined || next.from > last.from) last = next;
      }
      const isLate = last !== undefined && last.from >= act.until;
      return isLate
        ? [`${act.says} (${act.from} to ${act.until}) came after ${last?.says} (${last?.from})`]
        : [];
    });
}
