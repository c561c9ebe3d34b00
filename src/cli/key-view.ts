/** How keys are printed. */
import { rateText } from '../rate.ts';
import { permissions, type StoredKey } from '../store/keys.ts';
import { modeOf } from './account-view.ts';
import { align, count, printLines, table } from './output.ts';
import { isoDate, isoTime } from './time.ts';

/** A key as it was made: `secret` comes second, where a person looks for it. */
export function newKeyJson(key: StoredKey, secret: string): object {
  const { unique_identifier, ...rest } = grantJson(key);
  return { unique_identifier, secret, ...rest };
}

export function keyJson(key: StoredKey): object {
  return {
    ...grantJson(key),
    last_used_at: timeOrNull(key.last_used_at),
    suspended_at: timeOrNull(key.suspended_at),
    revoked_at: timeOrNull(key.revoked_at),
  };
}

/** Prints a key with its secret, the only time that it is shown. */
export function printNewKey(key: StoredKey, secret: string): void {
  const [identifier = [], ...grant] = grantRows(key);
  printLines(...align([identifier, ['Secret', `${secret}  (shown only this once)`], ...grant]));
}

/** Prints all that is known of a key, as it is at that moment. */
export function printKey(key: StoredKey, now: number): void {
  const [identifier = [], ...grant] = grantRows(key);
  printLines(
    ...align([
      identifier,
      ['Status', statusSince(key, now)],
      ...grant,
      ['Created', isoTime(key.inserted_at)],
      ['Last used', key.last_used_at === null ? 'never' : isoTime(key.last_used_at)],
    ]),
  );
}

/** As wide as a terminal, where no key is limited to locations: what takes more room is told by `keys show`. */
export function keyTable(keys: readonly StoredKey[], now: number): readonly string[] {
  const limited = keys.some(({ anchors }) => anchors !== null);
  return table(
    ['KEY', 'SECRET', 'STATUS', 'MAY', 'LAST USED', 'NAME', ...(limited ? ['LOCATIONS'] : [])],
    keys.map((key) => [
      key.unique_identifier,
      `${modeOf(key)}…${key.ending}`,
      shortStatus(key, now),
      mayDo(key),
      key.last_used_at === null ? 'never' : isoDate(key.last_used_at),
      key.name ?? '-',
      ...(limited ? [placesOf(key)] : []),
    ]),
  );
}

/** Permissions, and each right with a plus before it. */
function mayDo({ permissions: may, allow }: StoredKey): string {
  const all = may.length === permissions.length ? 'all' : may.join(', ');
  return [all, ...allow.map((right) => `+${right}`)].join(' ');
}

function placesOf({ anchors }: StoredKey): string {
  if (anchors === null) return 'all';
  return anchors.length === 1 ? anchors.join() : count(anchors.length, 'location');
}

export type Status = 'active' | 'suspended' | 'expired' | 'revoked';

export function statusOf(key: StoredKey, now: number): Status {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at !== null && key.expires_at <= now) return 'expired';
  return key.suspended_at === null ? 'active' : 'suspended';
}

function shortStatus(key: StoredKey, now: number): string {
  const status = statusOf(key, now);
  return status === 'active' && key.expires_at !== null ? `to ${isoDate(key.expires_at)}` : status;
}

function statusSince(key: StoredKey, now: number): string {
  const status = statusOf(key, now);
  const { suspended_at, expires_at, revoked_at } = key;
  const since = { active: null, suspended: suspended_at, expired: expires_at, revoked: revoked_at };
  const time = since[status];
  return time === null ? status : `${status} since ${isoTime(time)}`;
}

function grantJson(key: StoredKey) {
  return {
    unique_identifier: key.unique_identifier,
    name: key.name,
    ending: key.ending,
    livemode: key.livemode,
    accounts: key.accounts,
    locations: key.anchors,
    permissions: key.permissions,
    resources: key.resources,
    allow: key.allow,
    from: key.from,
    rate: key.rate === null ? null : rateText(key.rate),
    concurrent: key.concurrent,
    expires_at: timeOrNull(key.expires_at),
    inserted_at: isoTime(key.inserted_at),
  };
}

/** What a key is for; limits that it does not have are left out. */
function grantRows(key: StoredKey): readonly (readonly string[])[] {
  return [
    ['Key', key.unique_identifier],
    ...rows('Name', key.name === null ? null : [key.name]),
    ['Ends in', key.ending],
    ['Mode', modeOf(key)],
    ...rows('Accounts', key.accounts),
    ...rows('Locations', key.anchors),
    ['Permissions', key.permissions.join(', ')],
    ...rows('Resources', key.resources),
    ...rows('Allowed', key.allow),
    ...rows('From', key.from),
    ...rows('Rate', key.rate === null ? null : [rateText(key.rate)]),
    ...rows('Concurrent', key.concurrent === null ? null : [String(key.concurrent)]),
    ['Expires', key.expires_at === null ? 'never' : isoTime(key.expires_at)],
  ];
}

/** One row for each text, the first of them under the heading. */
function rows(heading: string, texts: readonly string[] | null): readonly (readonly string[])[] {
  return (texts ?? []).map((text, index) => [index === 0 ? heading : '', text]);
}

function timeOrNull(time: number | null): string | null {
  return time === null ? null : isoTime(time);
}
