/** How keys are printed. */
import type { StoredKey } from '../store/store.ts';
import { modeOf } from './account-view.ts';
import { align, printLines, table } from './output.ts';
import { isoTime } from './time.ts';

/** A key as it was made: `secret` comes second, where a person looks for it. */
export function newKeyJson(key: StoredKey, secret: string): object {
  const { unique_identifier, ...rest } = scopeJson(key);
  return { unique_identifier, secret, ...rest };
}

export function keyJson(key: StoredKey): object {
  return {
    ...scopeJson(key),
    last_used_at: timeOrNull(key.last_used_at),
    revoked_at: timeOrNull(key.revoked_at),
  };
}

/** Prints a key with its secret, the only time that it is shown. */
export function printNewKey(key: StoredKey, secret: string): void {
  printLines(
    ...align([
      ['Key', key.unique_identifier],
      ['Secret', `${secret}   (shown only now: keep it safe)`],
      ...(key.name === null ? [] : [['Name', key.name]]),
      ['For', `${modeOf(key)} ${scopeOf(key)}`],
      ['May', key.permission],
      ['Expires', expiryOf(key)],
    ]),
  );
}

export function keyTable(keys: readonly StoredKey[], now: number): readonly string[] {
  return table(
    ['KEY', 'NAME', 'MODE', 'STATUS', 'MAY', 'LAST USED', 'EXPIRES', 'FOR'],
    keys.map((key) => [
      key.unique_identifier,
      key.name ?? '-',
      modeOf(key),
      statusOf(key, now),
      key.permission,
      key.last_used_at === null ? 'never' : isoTime(key.last_used_at),
      expiryOf(key),
      scopeOf(key),
    ]),
  );
}

export function statusOf(key: StoredKey, now: number): 'active' | 'expired' | 'revoked' {
  if (key.revoked_at !== null) return 'revoked';
  return key.expires_at !== null && key.expires_at <= now ? 'expired' : 'active';
}

function scopeJson(key: StoredKey) {
  return {
    unique_identifier: key.unique_identifier,
    name: key.name,
    livemode: key.livemode,
    accounts: key.accounts,
    locations: key.anchors,
    permission: key.permission,
    resources: key.resources,
    expires_at: timeOrNull(key.expires_at),
    inserted_at: isoTime(key.inserted_at),
  };
}

/** The accounts or locations, and the resources where they are limited. */
function scopeOf({ accounts, anchors, resources }: StoredKey): string {
  const where = (anchors ?? accounts).join(', ');
  return resources === null ? where : `${where}: ${resources.join(', ')}`;
}

function expiryOf({ expires_at }: StoredKey): string {
  return expires_at === null ? 'never' : isoTime(expires_at);
}

function timeOrNull(time: number | null): string | null {
  return time === null ? null : isoTime(time);
}
