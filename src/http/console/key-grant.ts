/** What a new key is to be allowed, as the console asks for it. */
import { type Grant, MAX_CONCURRENT } from '../../auth/issue-key.ts';
import { rights } from '../../auth/rights.ts';
import { Faults } from '../../errors.ts';
import { readNetwork } from '../../network/networks.ts';
import { RATE_MUST_BE, readRate } from '../../rate.ts';
import { type Permission, permissions } from '../../store/keys.ts';

interface Sent {
  readonly name: string | undefined;
  readonly permissions: readonly string[] | undefined;
  readonly resources: readonly string[] | undefined;
  readonly allow: readonly string[] | undefined;
  readonly from: readonly string[] | undefined;
  readonly rate: string | undefined;
  readonly concurrent: number | undefined;
  readonly expires_at: string | undefined;
}

/** Throws with everything that is wrong with it. `paths` are the path names of the resources. */
export function readKeyGrant(
  sent: Sent,
  paths: readonly string[],
  now: number,
): Omit<Grant, 'accounts'> {
  const faults = new Faults();
  const among = (param: keyof Sent, known: readonly string[]): readonly string[] | undefined => {
    const given = sent[param] as readonly string[] | undefined;
    const wrong = given?.some((one) => !known.includes(one)) === true;
    if (wrong || (given?.length === 0 && param !== 'allow'))
      faults.add(param, 'value_invalid', `${param} may only hold ${known.join(', ')}.`);
    return given && [...new Set(given)];
  };
  const may = among('permissions', permissions);
  const resources = among('resources', paths);
  const allow = among('allow', Object.keys(rights));
  const expires_at = sent.expires_at === undefined ? null : momentOf(sent.expires_at);
  if (expires_at !== null && !(expires_at > now))
    faults.add(
      'expires_at',
      'value_invalid',
      'expires_at must be a time in the future with its offset, such as 2027-01-31T18:00:00Z.',
    );
  const rate = sent.rate === undefined ? undefined : readRate(sent.rate);
  if (sent.rate !== undefined && rate === undefined)
    faults.add('rate', 'value_invalid', `rate ${RATE_MUST_BE}.`);
  const { concurrent } = sent;
  if (concurrent !== undefined && (concurrent < 1 || concurrent > MAX_CONCURRENT))
    faults.add(
      'concurrent',
      'value_invalid',
      `concurrent must be a whole number from 1 to ${MAX_CONCURRENT}.`,
    );
  const from = sent.from && networksIn(sent.from, faults);
  faults.throwIfAny();
  return {
    name: sent.name ?? null,
    permissions: permissions.filter((one) => may?.includes(one) ?? true) as Permission[],
    resources: resources ?? null,
    allow: allow ?? [],
    from: from ?? null,
    rate: rate ?? null,
    concurrent: concurrent ?? null,
    expires_at,
  };
}

/** Each in its one spelling. */
function networksIn(given: readonly string[], faults: Faults): readonly string[] {
  if (given.length === 0)
    faults.add(
      'from',
      'value_invalid',
      'from must name an address or a network, or be left out for all addresses.',
    );
  const networks = given.flatMap((text) => {
    const found = readNetwork(text);
    if ('network' in found) return found.network;
    faults.add('from', 'value_invalid', `from: ${JSON.stringify(text)} ${found.complaint}.`);
    return [];
  });
  return [...new Set(networks)];
}

/** Milliseconds since 1970; not a number for what is no time. */
function momentOf(text: string): number {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return Number.NaN;
  }
}
