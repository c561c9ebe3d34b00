/** Reads the grant of a new key: permissions, limits and end, for both the console and the command line. */
import type { ErrorCode, FaultValues } from '../../core/errors.ts';
import { readNetwork } from '../../core/network/networks.ts';
import { MAX_AT_ONCE, type Permission, permissions } from '../../core/objects/api-key.ts';
import { MAX_RATE, RATE_MUST_BE, readRate } from '../../core/rate.ts';
import { nearestName } from '../../core/schema/fields/members.ts';
import type { Grant } from './issue-key.ts';
import { authoritativeFor, isRight, rights } from './rights.ts';

/** The parameters of a grant. A limit that is left out does not apply. */
export interface GrantParams {
  readonly name?: string | undefined;
  readonly permissions?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly from?: readonly string[] | undefined;
  /** A number, or a text such as `30/m`. */
  readonly requests_a_second?: number | string | undefined;
  readonly requests_at_once?: number | string | undefined;
  /** A time with its offset. */
  readonly expires_at?: string | undefined;
}

/** Receives the fault of a field, as the rest of a sentence after its name, and its code; may throw. */
export type ReportFault = (
  field: keyof GrantParams | 'disallow',
  says: string,
  code: ErrorCode,
  values?: FaultValues,
) => void;

/** One a minute, as requests a second. */
const LEAST = 0.016;
/** The short form of the first two permissions. */
const READ_WRITE = 'read-write';

/** `paths` are the path names of the resources. */
export function readGrant(
  sent: GrantParams,
  { paths, now }: { readonly paths: readonly string[]; readonly now: number },
  wrong: ReportFault,
): Omit<Grant, 'accounts' | 'anchors'> {
  const { requests_a_second: rate, requests_at_once: count } = sent;
  return {
    name: sent.name ?? null,
    permissions: readPermissions(sent.permissions, wrong) ?? permissions,
    resources: readResources(sent.resources, paths, wrong) ?? null,
    allow: readRights(sent.allow, paths, wrong),
    from: readNetworks(sent.from, wrong) ?? null,
    requests_a_second: rate === undefined ? null : readOften(rate, wrong),
    requests_at_once: count === undefined ? null : readAtOnce(count, wrong),
    expires_at: sent.expires_at === undefined ? null : readEnd(sent.expires_at, now, wrong),
  };
}

/** Reads permissions, in the order in which they are shown. */
export function readPermissions(
  given: readonly string[] | undefined,
  wrong: ReportFault,
): readonly Permission[] | undefined {
  const names = given?.flatMap((name) => (name === READ_WRITE ? ['read', 'write'] : name));
  const unknown = names?.find((name) => !permissions.some((one) => one === name));
  if (unknown !== undefined || names?.length === 0)
    wrong(
      'permissions',
      `must be ${permissions.join(', ')} or ${READ_WRITE}, or several of them, not ${JSON.stringify(unknown ?? '')}.`,
      'value_invalid',
    );
  return names && permissions.filter((one) => names.includes(one));
}

export function readRights(
  given: readonly string[] = [],
  paths: readonly string[],
  wrong: ReportFault,
): readonly string[] {
  const known = [...Object.keys(rights), authoritativeFor('RESOURCE')];
  const unknown = given.find((name) => !isRight(name, paths));
  if (unknown !== undefined)
    wrong(
      'allow',
      `${JSON.stringify(unknown)} is not known; known: ${known.join(', ')}.`,
      'value_invalid',
    );
  return [...new Set(given)];
}

export function readResources(
  given: readonly string[] | undefined,
  paths: readonly string[],
  wrong: ReportFault,
): readonly string[] | undefined {
  const unknown = given?.find((name) => !paths.includes(name));
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, paths);
    const instead =
      nearest === undefined ? `known are ${paths.join(', ')}` : `did you mean ${nearest}?`;
    wrong('resources', `${JSON.stringify(unknown)} is not known; ${instead}`, 'value_invalid');
  }
  return given && [...new Set(given)];
}

/** Each in its canonical spelling. */
function readNetworks(
  given: readonly string[] | undefined,
  wrong: ReportFault,
): readonly string[] | undefined {
  if (given?.length === 0)
    wrong('from', 'must name an address or a network, or be left out.', 'network_invalid');
  const networks = given?.flatMap((text) => {
    const found = readNetwork(text);
    if ('network' in found) return found.network;
    wrong('from', `${JSON.stringify(text)} ${found.complaint}.`, 'network_invalid');
    return [];
  });
  return networks && [...new Set(networks)];
}

/** A plain number means requests a second. */
function readOften(given: number | string, wrong: ReportFault): number | null {
  const isPlain = typeof given === 'number' || /^\d{1,9}(?:\.\d{1,9})?$/.test(given);
  const plain = isPlain ? Number(given) : Number.NaN;
  const rate = isPlain
    ? plain >= LEAST && plain <= MAX_RATE
      ? plain
      : undefined
    : readRate(given);
  if (rate === undefined)
    wrong('requests_a_second', `${RATE_MUST_BE}, not ${JSON.stringify(given)}.`, 'rate_invalid');
  return rate ?? null;
}

function readAtOnce(given: number | string, wrong: ReportFault): number | null {
  const count = /^\d{1,9}$/.test(String(given)) ? Number(given) : 0;
  if (count >= 1 && count <= MAX_AT_ONCE) return count;
  wrong(
    'requests_at_once',
    `must be a whole number from 1 to ${MAX_AT_ONCE}, not ${JSON.stringify(given)}.`,
    'number_out_of_range',
    { least: 1, most: MAX_AT_ONCE },
  );
  return null;
}

function readEnd(given: string, now: number, wrong: ReportFault): number {
  const end = momentOf(given);
  if (!(end > now))
    wrong(
      'expires_at',
      'must be a time in the future with its offset, such as 2027-01-31T18:00:00Z.',
      'time_past',
    );
  return end;
}

/** Milliseconds since 1970; NaN if the text is not a time. */
function momentOf(text: string): number {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return Number.NaN;
  }
}
