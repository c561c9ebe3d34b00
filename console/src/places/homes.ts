/** Loads the time zone and region of each location: every time is shown as the clock of its home has it. */
import type { LocationSettings } from '../../../client/src/generated/objects.d.ts';
import { anchor } from '../records/description.ts';
import { parentOf, type Shown } from '../records/records.ts';
import { api, listed } from '../service/api.ts';
import { homes, usualZone, zoneOf } from './zones.ts';

const PAGE = 1000;
/** Locations beyond these are shown as their account has it. */
const MAX_LOADED = 5 * PAGE;

/** What a record is or is at, as far as that was requested with it. */
export function zoneOfRecord(record: Shown): string {
  if (anchor === undefined) return usualZone.value;
  const { unique_identifier: id } = record;
  return zoneOf(
    id.startsWith(anchor.prefix) ? id : parentOf(record, anchor.name)?.unique_identifier,
  );
}

export async function loadHomes(accounts: readonly string[]): Promise<void> {
  const all: LocationSettings[] = [];
  for await (const one of api.location_settings.list({ limit: PAGE })) {
    all.push(one);
    if (all.length === MAX_LOADED) break;
  }
  const byId = new Map(all.map((one) => [one.unique_identifier, one]));
  const differ = new Set(accounts.map((id) => byId.get(id)?.time_zone)).size > 1;
  homes.value = { accounts, byId, accountOf: differ ? await accountsOfAll(accounts) : new Map() };
}

async function accountsOfAll(accounts: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const pages = await Promise.all(
    accounts.map((account) =>
      listed(anchor?.path ?? '', { [anchor?.parent?.param ?? '']: account, limit: PAGE }),
    ),
  );
  return new Map(
    pages.flatMap(({ data }, at) =>
      data.map((one) => [one.unique_identifier, accounts[at] ?? ''] as const),
    ),
  );
}
