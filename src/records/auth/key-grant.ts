/** Reads the grant of a new key: permissions, limits and end, for both the console and the command line. */
import type { Faults } from '../../core/errors.ts';
import { readNetwork } from '../../core/network/networks.ts';
import { MAX_AT_ONCE, type Permission, permissions } from '../../core/objects/api-key.ts';
import { MAX_RATE, RATE_MUST_BE, readRate } from '../../core/rate.ts';
import { nearestName } from '../../core/schema/fields/members.ts';
import type { Grant } from './issue-key.ts';
import { authoritativeFor, isRight, rights } from './principal.ts';

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

/** One a minute, as requests a second. */
const LEAST = 0.016;
/** The short form of the first two permissions. */
const READ_WRITE = 'read-write';

/** `paths` are the path names of the resources. */
export function readGrant(
  sent: GrantParams,
  { paths, now }: { readonly paths: readonly string[]; readonly now: number },
  faults: Faults,
): Omit<Grant, 'accounts' | 'anchors'> {
  const { requests_a_second: rate, requests_at_once: count } = sent;
  return {
    name: sent.name ?? null,
    permissions: readPermissions(sent.permissions, faults) ?? permissions,
    resources: readResources(sent.resources, paths, faults) ?? null,
    allow: readRights(sent.allow, paths, faults),
    from: readNetworks(sent.from, faults) ?? null,
    requests_a_second: rate === undefined ? null : readOften(rate, faults),
    requests_at_once: count === undefined ? null : readAtOnce(count, faults),
    expires_at: sent.expires_at === undefined ? null : readEnd(sent.expires_at, now, faults),
  };
}

/** Reads permissions, in the order in which they are shown. */
export function readPermissions(
  given: readonly string[] | undefined,
  faults: Faults,
): readonly Permission[] | undefined {
  const names = given?.flatMap((name) => (name === READ_WRITE ? ['read', 'write'] : name));
  const unknown = names?.find((name) => !permissions.some((one) => one === name));
  if (unknown !== undefined || names?.length === 0) {
    const says = `permissions must be ${permissions.join(', ')} or ${READ_WRITE}, or several of them, not ${JSON.stringify(unknown ?? '')}.`;
    faults.add('permissions', 'value_invalid', says);
  }
  return names && permissions.filter((one) => names.includes(one));
}

export function readRights(
  given: readonly string[] = [],
  paths: readonly string[],
  faults: Faults,
  param: 'allow' | 'disallow' = 'allow',
): readonly string[] {
  const known = [...Object.keys(rights), authoritativeFor('RESOURCE')];
  const unknown = given.find((name) => !isRight(name, paths));
  const says = () =>
    `${param} ${JSON.stringify(unknown)} is not known; known: ${known.join(', ')}.`;
  if (unknown !== undefined) faults.add(param, 'value_invalid', says);
  return [...new Set(given)];
}

export function readResources(
  given: readonly string[] | undefined,
  paths: readonly string[],
  faults: Faults,
): readonly string[] | undefined {
  const unknown = given?.find((name) => !paths.includes(name));
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, paths);
    const instead = nearest ? `did you mean ${nearest}?` : `known are ${paths.join(', ')}`;
    const says = `resources ${JSON.stringify(unknown)} is not known; ${instead}`;
    faults.add('resources', 'value_invalid', says);
  }
  return given && [...new Set(given)];
}

function readNetworks(given: readonly string[] | undefined, faults: Faults) {
  const says = 'from must name an address or a network, or be left out.';
  if (given?.length === 0) faults.add('from', 'network_invalid', says);
  const networks = given?.flatMap((text) => {
    const found = readNetwork(text);
    if ('network' in found) return found.network;
    faults.add('from', 'network_invalid', `from ${JSON.stringify(text)} ${found.complaint}.`);
    return [];
  });
  return networks && [...new Set(networks)];
}

/** A plain number means requests a second. */
function readOften(given: number | string, faults: Faults): number | null {
  const isPlain = typeof given === 'number' || /^\d{1,9}(?:\.\d{1,9})?$/.test(given);
  const rate = isPlain ? Number(given) : readRate(given);
  if (rate !== undefined && (!isPlain || (rate >= LEAST && rate <= MAX_RATE))) return rate;
  const says = `requests_a_second ${RATE_MUST_BE}, not ${JSON.stringify(given)}.`;
  faults.add('requests_a_second', 'rate_invalid', says);
  return null;
}

function readAtOnce(given: number | string, faults: Faults): number | null {
  const count = /^\d{1,9}$/.test(String(given)) ? Number(given) : 0;
  if (count >= 1 && count <= MAX_AT_ONCE) return count;
  faults.add('requests_at_once', 'number_out_of_range', {
    message: `requests_at_once must be a whole number from 1 to ${MAX_AT_ONCE}, not ${JSON.stringify(given)}.`,
    values: { least: 1, most: MAX_AT_ONCE },
  });
  return null;
}

/** Milliseconds since 1970; NaN, and a fault, if the text is not a time. */
function readEnd(given: string, now: number, faults: Faults): number {
  let end = Number.NaN;
  try {
    end = Temporal.Instant.from(given).epochMilliseconds;
  } catch {}
  if (!(end > now)) faults.add('expires_at', 'time_past');
  return end;
}
