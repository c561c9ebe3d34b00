/**
 * A seal of changes of the log: where they are, and hashes of what they refer to. It covers no content, which erasures
 * take away.
 */
import { hash } from 'node:crypto';
import type { ChangeReference } from '../../store/promises/log.ts';

/** Changes of a seal at the most. */
export const MAX_SEALED = 1_000;
/** Bytes of each change's own hash: they name the one that is wrong, and `digest` proves that none is. */
const MARK_BYTES = 3;

type Place = Pick<ChangeReference, 'position' | 'place'>;
type TimedPlace = Place & Pick<ChangeReference, 'occurred_at'>;

export interface LogSeal {
  readonly first: TimedPlace;
  readonly last: TimedPlace;
  /** SHA-256 of the hashes of all changes. */
  readonly digest: string;
  /** The beginnings of these hashes. */
  readonly marks: Buffer;
}

/** What is wrong with a log: at the change of that place, or after it where one is missing. */
export interface LogFault extends Place {
  readonly says: string;
}

/** As text, as an entry has it. There is at least one change. */
export function sealOf(changes: readonly ChangeReference[]): string {
  const hashes = changes.map(hashOf);
  const ends = [changes[0], changes.at(-1)].flatMap((one) =>
    one === undefined ? [] : [one.position, one.place, one.occurred_at],
  );
  return [...ends, digestOf(hashes), marksOf(hashes).toString('base64url')].join(' ');
}

/** `undefined` where it is none: somebody changed it. */
export function readSeal(text: string | null): LogSeal | undefined {
  const found = /^(\d+) (\d+) (\d+) (\d+) (\d+) (\d+) ([\w-]{43}) ([\w-]+)$/.exec(text ?? '');
  if (found === null) return undefined;
  const [position = 0, place = 0, occurred_at = 0, ...end] = found.slice(1, 7).map(Number);
  return {
    first: { position, place, occurred_at },
    last: { position: end[0] ?? 0, place: end[1] ?? 0, occurred_at: end[2] ?? 0 },
    digest: found[7] ?? '',
    marks: Buffer.from(found[8] ?? '', 'base64url'),
  };
}

export function isAfter(one: Place, other: Place): boolean {
  return (
    one.position > other.position || (one.position === other.position && one.place > other.place)
  );
}

/**
 * The first fault among the stored changes of a seal; `gone`: those before the first of them may have been removed for
 * their age.
 */
export function faultIn(
  { first, last, digest, marks }: LogSeal,
  stored: readonly ChangeReference[],
  gone: boolean,
): LogFault | undefined {
  const hashes = stored.map(hashOf);
  if (digestOf(hashes) === digest) return undefined;
  const sealed = marks.length / MARK_BYTES;
  const skipped = gone ? Math.max(0, sealed - stored.length) : 0;
  const isSame = (at: number, sealedAt: number): boolean =>
    hashes[at]?.compare(
      marks,
      sealedAt * MARK_BYTES,
      (sealedAt + 1) * MARK_BYTES,
      0,
      MARK_BYTES,
    ) === 0;
  let at = 0;
  while (at < stored.length && at + skipped < sealed && isSame(at, at + skipped)) at += 1;
  const here = stored[at];
  if (at + skipped === sealed && here === undefined) {
    // Of what is left, the digest says nothing.
    return gone ? undefined : { ...placeOf(last), says: 'does not match its seal: it was changed' };
  }
  const before = placeOf(stored[at - 1] ?? first);
  const missing = sealed - skipped - stored.length;
  if (missing > 0 && (here === undefined || isSame(at, at + skipped + missing))) {
    const where = at === 0 ? 'here' : 'after this one';
    return {
      ...before,
      says:
        missing === 1 ? `a change ${where} is missing` : `${missing} changes ${where} are missing`,
    };
  }
  if (here === undefined) return { ...before, says: 'changes after this one are missing' };
  return {
    ...placeOf(here),
    says:
      at + skipped === sealed || isSame(at + 1, at + skipped)
        ? 'was added after the log was sealed'
        : 'is not the one that was sealed: it was changed, moved or added',
  };
}

function placeOf({ position, place }: Place): Place {
  return { position, place };
}

function hashOf(change: ChangeReference): Buffer {
  const { position, place, token, resource, record, anchor, outcome, ...rest } = change;
  const { version, before, by, occurred_at } = rest;
  const what = [position, place, token, resource, record, anchor, outcome, version, before, by];
  return hash('sha256', JSON.stringify([...what, occurred_at]), 'buffer');
}

function digestOf(hashes: readonly Buffer[]): string {
  return hash('sha256', Buffer.concat(hashes), 'base64url');
}

function marksOf(hashes: readonly Buffer[]): Buffer {
  return Buffer.concat(hashes.map((one) => one.subarray(0, MARK_BYTES)));
}
