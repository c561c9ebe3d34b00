/** The operations on the settings of locations and of accounts. */
import { locationSettings } from '../../core/objects/location-settings.ts';
import { present } from '../../core/objects/own-object.ts';
import type { Resource } from '../../core/schema/define.ts';
import { optional, text, timeZone } from '../../core/schema/fields/index.ts';
import type { Members } from '../../core/schema/fields/members.ts';
import { type Operation, operation } from './operation.ts';
import { listText, paging } from './pages.ts';

const PATH = '/v1/location_settings';
const PAGE = 1000;

export const MAX_REGION = 120;
const MAX_STATE = 60;

const SAYS = 'The settings.';
const TAG = 'Location settings';

export const settingsMembers = {
  time_zone: optional(
    timeZone(),
    'IANA name of its time zone; `""` removes it',
    'America/New_York',
  ),
  region: optional(
    text({ max: MAX_REGION }),
    'Its region, in your words; `""` removes it',
    'Northeast',
  ),
  state: optional(text({ max: MAX_STATE }), 'Its state or province; `""` removes it', 'NY'),
} as const satisfies Members;

const list = {
  account: optional(text({}), 'Only the settings of this account and its locations'),
  ...paging({ limit: PAGE }),
} as const satisfies Members;

function settingsOf(resource: Resource): readonly Operation[] {
  const { name, path, prefix, parent } = resource;
  const route = `/v1/${path}/:unique_identifier/settings` as const;
  const inherits =
    parent === undefined
      ? 'They apply to its locations that have none of their own.'
      : 'What is not set for the location comes from its account, and `inherited` names it.';
  const article = parent === undefined ? 'an' : 'a';
  const one = {
    tag: TAG,
    id: { says: `Identifies the ${name}`, prefix },
    answers: { schema: 'LocationSettings', says: SAYS },
    errors: ['resource_missing'],
    ...(parent === undefined && {
      uncommanded: 'Operators have it as "accounts show" and "accounts change".',
    }),
  } as const;
  return [
    operation({
      ...one,
      name: `retrieve_${name}_settings`,
      route: `GET ${route}`,
      needs: { permission: 'read' },
      summary: `Read the settings of ${article} ${name}`,
      description: `Returns the time zone, region and state of the ${name}. ${inherits}`,
      run: async ({ locationSettings: settings }, { caller, id, done }) => {
        const found = await settings.find(caller, resource, id);
        done({ account: found.account });
        return present(locationSettings, found, 'api', 0);
      },
    }),
    operation({
      ...one,
      name: `patch_${name}_settings`,
      audits: 'administer',
      route: `PATCH ${route}`,
      needs: { permission: 'write' },
      summary: `Change the settings of ${article} ${name}`,
      description: `Changes the members that you send and leaves the others. White space around region and state is removed. ${inherits}`,
      body: settingsMembers,
      sends: { time_zone: 'America/New_York', region: 'Northeast' },
      refusesIdempotencyKey:
        'Settings take no Idempotency-Key: send the request without it. It may be repeated.',
      run: async ({ locationSettings: settings }, { caller, id, params, done, grants }) => {
        const changed = await settings.change(caller, resource, id, params(), grants);
        done({ account: changed.account });
        return present(locationSettings, changed, 'api', 0);
      },
    }),
  ];
}

export function locationSettingsOperations(resources: readonly Resource[]): readonly Operation[] {
  return [
    ...resources
      .filter(({ parent, anchor }) => parent === undefined || anchor === true)
      .flatMap(settingsOf),
    operation({
      tag: TAG,
      name: 'list_location_settings',
      route: `GET ${PATH}`,
      needs: { permission: 'read' },
      summary: 'List the settings of locations',
      description:
        'Returns the settings of each account, then those of the locations that have any, by `unique_identifier`. A location that is not in the list has the settings of its account.',
      query: list,
      answers: { schema: 'LocationSettingsList', says: SAYS },
      errors: ['resource_missing'],
      run: async ({ locationSettings: settings }, { caller, params }) => {
        const { limit = PAGE, ...query } = params();
        const { settings: data, more } = await settings.list(caller, { ...query, limit });
        const shown = data.map((one) => JSON.stringify(present(locationSettings, one, 'api', 0)));
        return listText(PATH, shown, more);
      },
    }),
  ];
}
