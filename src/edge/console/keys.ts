/** API keys, as administrators manage them in the console, and operators on the command line. */
import { ApiError, Faults } from '../../core/errors.ts';
import { apiKey, MAX_KEY_NAME, statusOf } from '../../core/objects/api-key.ts';
import { present } from '../../core/objects/own-object.ts';
import { MAX_SOURCE_NAME } from '../../core/objects/source.ts';
import { datetime, optional, required, text, wholeNumber } from '../../core/schema/fields/index.ts';
import type { Kind } from '../../core/schema/fields/kind.ts';
import { readText } from '../../core/schema/fields/kinds/text.ts';
import {
  type Grant,
  issueKey,
  MAX_OVERLAP_MS,
  OVERLAP_MS,
  rotateKey,
} from '../../records/auth/issue-key.ts';
import {
  type GrantParams,
  readGrant,
  readPermissions,
  readRights,
} from '../../records/auth/key-grant.ts';
import { limitTo } from '../../records/auth/region.ts';
import type { StoredKey } from '../../store/promises/keys.ts';
import { pageAmong } from '../operations/pages.ts';
import { scope, texts, timeOrNull } from './members.ts';
import {
  type Administration,
  type AdministratorOperation,
  administers,
  administration,
  administrationList,
  checkGrant,
  checkRights,
  managed,
} from './session/administrator.ts';

/** A number, or a text such as `30/m`: the grant says which are good. */
const often: Kind<number | string> = {
  ...text(),
  read: (sent, at, reading) => (typeof sent === 'number' ? sent : readText(sent, at, reading)),
};

export interface KeySettings extends GrantParams {
  readonly accounts: readonly string[];
  readonly locations?: readonly string[] | null;
  readonly region?: string | null;
  readonly source?: string | null;
}

const creation = Object.fromEntries([
  ...apiKey.views.console.flatMap(({ name, field: { settable, kind, says } }) => {
    if (!settable) return [];
    if (name === 'name') return [[name, optional(text({ max: MAX_KEY_NAME }), says)]];
    const sent: Kind<unknown> = kind.column === 'texts' ? texts : often;
    if (name === 'region') return [[name, scope.region]];
    return [[name, name === 'accounts' ? required(sent, says) : optional(sent, says)]];
  }),
  [
    'source',
    optional(
      text({ max: MAX_SOURCE_NAME }),
      'Who sends with it, such as "Passare": what all keys of one system have in common, made where it is new; one of its own, named as the key, by default',
    ),
  ],
]);

const rotation = {
  overlap_seconds: optional(
    wholeNumber({ max: MAX_OVERLAP_MS / 1000 }),
    'For how long the old key works on',
  ),
  expires_at: optional(datetime(), 'When the new one expires; by default when the old one would'),
};

type Uses = Awaited<ReturnType<Administration['service']['keyUses']>>;

/** `uses` is what works by the key, where that was found before. */
async function shown(
  { service }: Administration,
  key: StoredKey & { readonly secret?: string },
  uses?: Uses,
) {
  const found = uses ?? (await service.keyUses([key]));
  const used_by = found.get(key.unique_identifier) ?? [];
  return present(
    apiKey,
    { ...(await service.regions.within(key)), used_by },
    'console',
    service.now(),
  );
}

async function keyOf({ service, member }: Administration, id: string): Promise<StoredKey> {
  const key = (await service.keys.list()).find(({ unique_identifier }) => unique_identifier === id);
  return managed(member, key, 'key');
}

/** Reads the grant of a new key but its accounts. Throws one error with all faults. */
export function grantIn(
  { accounts: _, locations, region, source, ...sent }: KeySettings,
  { paths, now }: Parameters<typeof readGrant>[1],
): Omit<Grant, 'accounts'> {
  const faults = new Faults();
  const grant = readGrant(sent, { paths, now }, faults);
  faults.throwIfAny();
  return { ...grant, ...limitTo(locations, region), ...(source && { source: { name: source } }) };
}

const CHANGES = { revoke: 'key_revoked', suspend: 'key_suspended', resume: 'key_resumed' } as const;

/** `paths` are the path names of the resources. */
export const keyOperations = (paths: readonly string[]): readonly AdministratorOperation[] => [
  administrationList('list_keys', 'GET /keys', async (admin, { params }) => {
    const keys = (await admin.service.keys.list()).filter((key) => administers(admin.member, key));
    const uses = await admin.service.keyUses(keys);
    return pageAmong('/console/api/keys', keys, params(), (key) => shown(admin, key, uses));
  }),
  administration(
    'create_key',
    'POST /keys',
    async (admin, { params, done }) => {
      const { service, member } = admin;
      const limits = { paths, now: service.now() };
      const sent = params((values, faults) => {
        readGrant(values, limits, faults);
      }) as unknown as KeySettings;
      const { accounts } = sent;
      await checkGrant(admin, { accounts, ...limitTo(sent.locations, sent.region) });
      const grant = { accounts, ...grantIn(sent, limits) };
      checkRights(member, grant);
      const { key, secret } = await issueKey(service.keys, await modeOf(admin, accounts), grant);
      admin.administered('key_created', key);
      done({ unique_identifier: key.unique_identifier });
      return shown(admin, { ...key, secret });
    },
    creation,
  ),
  administration(
    'rotate_key',
    'POST /keys/:unique_identifier/rotate',
    async (admin, { id, params }) => {
      const { overlap_seconds, expires_at: end } = params();
      const old = await keyOf(admin, id);
      checkRights(admin.member, old);
      const { key, secret, replaces } = await rotateKey(admin.service.keys, old, {
        now: admin.service.now(),
        overlap: (overlap_seconds ?? OVERLAP_MS / 1000) * 1000,
        ...(end && { expires_at: Date.parse(end) }),
      });
      admin.administered('key_rotated', old);
      const expires_at = timeOrNull(replaces.expires_at);
      return { ...(await shown(admin, { ...key, secret })), replaces: { ...replaces, expires_at } };
    },
    rotation,
  ),
  ...Object.entries(CHANGES).map(([name, what]) =>
    administration(
      `${name}_key`,
      `POST /keys/:unique_identifier/${name}`,
      async (admin, { id }) => {
        const key = await keyOf(admin, id);
        if (name !== 'revoke') checkActive(key, admin.service.now());
        const uses = await admin.service.keyUses([key]);
        const changed = await admin.service.keys[name as keyof typeof CHANGES](id);
        admin.administered(what, key);
        return shown(admin, changed ?? key, uses);
      },
    ),
  ),
];

/** Changes the name of a key, and what it may do; operators have it, and no page of the console. */
export const changeOperations = (paths: readonly string[]): readonly AdministratorOperation[] => [
  administration(
    'rename_key',
    'POST /keys/:unique_identifier/rename',
    async (admin, { id, params }) => {
      const key = await keyOf(admin, id);
      const { name } = params();
      const change = { unique_identifier: id, does: 'rename', name } as const;
      const [renamed = key] = await admin.service.keys.changeAll([change]);
      return shown(admin, renamed);
    },
    { name: required(text({ max: MAX_KEY_NAME }), 'The new name') },
  ),
  administration(
    'change_key',
    'PATCH /keys/:unique_identifier',
    async (admin, { id, params }) => {
      const { allow, disallow, permissions } = params();
      const key = await keyOf(admin, id);
      checkActive(key, admin.service.now());
      if (!allow && !disallow && !permissions)
        throw new ApiError('value_invalid', { message: 'Say what to change.' });
      const faults = new Faults();
      const taken = readRights(disallow ?? [], paths, faults, 'disallow');
      const given = readRights(allow ?? [], paths, faults);
      const both = given.find((right) => taken.includes(right));
      if (both !== undefined)
        faults.add('allow', 'value_invalid', `allow and disallow both name ${both}.`);
      const grant = {
        permissions: readPermissions(permissions ?? undefined, faults) ?? key.permissions,
        allow: [...new Set([...key.allow, ...given])].filter((right) => !taken.includes(right)),
      };
      faults.throwIfAny();
      checkRights(admin.member, grant);
      const change = { unique_identifier: id, does: 'grant', ...grant } as const;
      const [changed = key] = await admin.service.keys.changeAll([change]);
      return shown(admin, changed);
    },
    {
      allow: optional(texts, 'Rights that it gets'),
      disallow: optional(texts, 'Rights that it loses'),
      permissions: optional(texts, 'All that it may do with records from now on'),
    },
  ),
];

/** Whether keys for these accounts are live. Throws `accounts_mixed`. */
export async function modeOf(
  { service }: Pick<Administration, 'service'>,
  accounts: readonly string[],
): Promise<boolean> {
  const [first, ...others] = await service.accountsAmong(new Set(accounts));
  if (first === undefined || others.some(({ livemode }) => livemode !== first.livemode))
    throw new ApiError('accounts_mixed', { param: 'accounts' });
  return first.livemode;
}

/** Throws `value_invalid` for a key that has ended. */
function checkActive(key: StoredKey, now: number): void {
  const status = statusOf(key, now);
  if (status === 'active' || status === 'suspended') return;
  const message = `${key.unique_identifier} is ${status}, which cannot be undone. Create another key.`;
  throw new ApiError('value_invalid', { message });
}
