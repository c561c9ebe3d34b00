/** Operations on accounts, which operators have on the command line. */
import { ApiError } from '../../core/errors.ts';
import { type Account, account } from '../../core/objects/account.ts';
import { effectiveSettings } from '../../core/objects/location-settings.ts';
import { present } from '../../core/objects/own-object.ts';
import { boolean, choice, optional, required, text } from '../../core/schema/fields/index.ts';
import { asStored } from '../../services/locations/settings.ts';
import type { Store } from '../../store/promises/store.ts';
import { administration, administrationList } from '../console/session/administrator.ts';
import { settingsMembers } from './location-settings.ts';
import type { Services } from './operation.ts';
import { pageAmong } from './pages.ts';

type On = Pick<Services, 'store'>;

const MAX_NAME = 500;

/** The account, with what it gives its locations. Throws `resource_missing`. */
export async function presentAccount({ locationSettings }: Store, one: Account | undefined) {
  if (one === undefined) throw new ApiError('resource_missing');
  const { unique_identifier: id, pins } = one;
  const [set] = await locationSettings.of([id]);
  const settings = effectiveSettings({ unique_identifier: id, account: id }, () => set);
  const { time_zone, region, state, inherited } = settings;
  const own = { pins: pins ?? 'on', time_zone, region, state, inherited: [...inherited] };
  return { ...present(account, one, 'cli', 0), ...own };
}

/** The account as it is by now. An account that is being emptied cannot be opened or closed. */
function settled(one: Account | undefined): object {
  if (one === undefined) throw new ApiError('resource_missing');
  const { becomes, unique_identifier: id } = one;
  if (becomes === null) return present(account, one, 'cli', 0);
  const command = becomes === 'gone' ? 'delete' : 'wipe';
  throw new ApiError('value_invalid', {
    message: `${id} is being emptied, and stays closed until that is done: go on with "ledgerstone accounts ${command} ${id}".`,
  });
}

export const accountOperations = [
  administration(
    'create_account',
    'POST /accounts',
    async ({ store: { accounts, locationSettings } }: On, { params, done }) => {
      const { name, test, ...settings } = params();
      const set = asStored(settings as object);
      const made = await accounts.create({ name, livemode: test !== true });
      const { unique_identifier: id } = made;
      if (Object.keys(set).length > 0)
        await locationSettings.change([{ unique_identifier: id, account: id, ...set }]);
      done({ unique_identifier: id, account: id });
      return present(account, made, 'cli', 0);
    },
    {
      name: required(text({ max: MAX_NAME }), 'The name of the account'),
      test: optional(boolean(), 'Create a test account, whose records can be wiped'),
      ...settingsMembers,
    },
  ),
  administrationList('list_accounts', 'GET /accounts', async ({ store }: On, { params }) =>
    pageAmong('/accounts', await store.accounts.list(), params(), (one) =>
      presentAccount(store, one),
    ),
  ),
  administration('get_account', 'GET /accounts/:unique_identifier', async ({ store }: On, { id }) =>
    presentAccount(store, await store.accounts.find(id)),
  ),
  administration(
    'change_account',
    'PATCH /accounts/:unique_identifier',
    async ({ store }: On, { id, params }) => {
      const { name, pins, ...settings } = params();
      const { accounts, locationSettings } = store;
      let one = await accounts.find(id);
      if (one === undefined) throw new ApiError('resource_missing');
      const set = asStored(settings as object);
      if (!name && !pins && Object.keys(set).length === 0)
        throw new ApiError('value_invalid', {
          message: 'Say what to change: name, time_zone, region, state or pins.',
        });
      if (name) one = await accounts.rename(id, name);
      if (pins) one = await accounts.pins(id, pins === 'on');
      if (Object.keys(set).length > 0)
        await locationSettings.change([{ unique_identifier: id, account: id, ...set }]);
      return presentAccount(store, one);
    },
    {
      name: optional(text({ max: MAX_NAME }), 'The new name'),
      pins: optional(
        choice('on', 'off'),
        'Whether what staff change stays when systems send it again',
      ),
      ...settingsMembers,
    },
  ),
  administration(
    'close_account',
    'POST /accounts/:unique_identifier/close',
    async ({ store }: On, { id }) => settled(await store.accounts.close(id)),
  ),
  administration(
    'reopen_account',
    'POST /accounts/:unique_identifier/reopen',
    async ({ store }: On, { id }) => settled(await store.accounts.reopen(id)),
  ),
];
