/** An API key as it is shown. */
import { presentTime } from '../schema/present.ts';
import type { StoredKey } from '../store/keys.ts';

/** What the key itself and administrators see of it. */
export function presentKey(key: StoredKey): object {
  return {
    object: 'api_key',
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
    requests_a_second: key.rate,
    requests_at_once: key.concurrent,
    inserted_at: presentTime(key.inserted_at),
    expires_at: key.expires_at === null ? null : presentTime(key.expires_at),
  };
}
