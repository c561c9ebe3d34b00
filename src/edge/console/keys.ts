/** API keys, as administrators manage them. */
import { ApiError, Faults } from '../../core/errors.ts';
import { apiKey } from '../../core/objects/api-key.ts';
import { present } from '../../core/objects/own-object.ts';
import { optional, required, text, wholeNumber } from '../../core/schema/fields/index.ts';
import type { Kind } from '../../core/schema/fields/kind.ts';
import { readText } from '../../core/schema/fields/kinds/text.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { issueKey } from '../../records/auth/issue-key.ts';
import { type GrantParams, readGrant } from '../../records/auth/key-grant.ts';
import { limitTo } from '../../records/auth/region.ts';
import { MAX_OVERLAP_MS, OVERLAP_MS, rotateKey } from '../../records/auth/rotate-key.ts';
import type { StoredKey } from '../../store/promises/keys.ts';
import { listOf } from '../operations/operation.ts';
import { ADMINISTERED, ADMINISTERS, scope, texts } from './members.ts';
import { administers, checkGrant, checkRights, managed } from './session/administrator.ts';
import { type ConsoleOperation, consoleOperation, type Visit } from './session/visit.ts';
import { timeOrNull } from './views.ts';

/** A number, or a text such as `30/m`: the grant says which are good. */
const often: Kind<number | string> = {
  ...text(),
  read: (sent, at, reading) => (typeof sent === 'number' ? sent : readText(sent, at, reading)),
};

interface KeySettings extends GrantParams {
  readonly accounts: readonly string[];
  readonly locations?: readonly string[] | null;
  readonly region?: string | null;
}

/** The parameters of a new key. */
const creation = Object.fromEntries(
  apiKey.views.console.flatMap(({ name, field: { settable, kind, says } }) => {
    const sent: Kind<unknown> = kind.column === 'texts' ? texts : often;
    if (!settable) return [];
    if (name === 'region') return [[name, scope.region]];
    return [[name, name === 'accounts' ? required(sent, says) : optional(sent, says)]];
  }),
);

const rotation = {
  overlap_seconds: optional(
    wholeNumber({ max: MAX_OVERLAP_MS / 1000 }),
    'For how long the old key works on',
  ),
};

const shown = async ({ desk }: Visit, key: StoredKey): Promise<JsonObject> =>
  present(apiKey, await desk.regions.within(key), 'console', desk.now());

async function keyOf({ desk, member }: Visit, id: string): Promise<StoredKey> {
  const key = (await desk.keys.list()).find(({ unique_identifier }) => unique_identifier === id);
  return managed(member, key, 'key');
}

const CHANGES = {
  revoke: 'key_revoked',
  suspend: 'key_suspended',
  resume: 'key_resumed',
} as const;

/** `paths` are the path names of the resources. */
export const keyOperations = (paths: readonly string[]): readonly ConsoleOperation[] => [
  consoleOperation({
    ...ADMINISTERS,
    route: 'GET /keys',
    run: async (visit) => {
      const keys = (await visit.desk.keys.list()).filter((key) => administers(visit.member, key));
      return listOf('/console/api/keys', await Promise.all(keys.map((key) => shown(visit, key))));
    },
  }),
  consoleOperation({
    ...ADMINISTERED,
    name: 'create_key',
    route: 'POST /keys',
    body: creation,
    run: async (visit, { params }) => {
      const { desk, member } = visit;
      const { accounts, locations, region, ...sent } = params() as unknown as KeySettings;
      const limited = { accounts, ...limitTo(locations, region) };
      await checkGrant(member, limited, desk);
      const faults = new Faults();
      const grant = readGrant(sent, { paths, now: desk.now() }, (name, says, code, values) =>
        faults.add(name, code, { message: `${name} ${says}`, ...(values && { values }) }),
      );
      faults.throwIfAny();
      checkRights(member, grant);
      const [first, ...others] = await desk.accountsAmong(new Set(accounts));
      if (first === undefined || others.some(({ livemode }) => livemode !== first.livemode))
        throw new ApiError('accounts_mixed', { param: 'accounts' });
      const issued = { ...grant, ...limited };
      const { key, secret } = await issueKey(desk.keys, first.livemode, issued);
      visit.administered('key_created', key);
      return { ...(await shown(visit, key)), secret };
    },
  }),
  consoleOperation({
    ...ADMINISTERED,
    name: 'rotate_key',
    route: 'POST /keys/:unique_identifier/rotate',
    body: rotation,
    run: async (visit, { id, params }) => {
      const overlap = (params().overlap_seconds ?? OVERLAP_MS / 1000) * 1000;
      const old = await keyOf(visit, id);
      checkRights(visit.member, old);
      const { keys, now } = visit.desk;
      const { key, secret, replaces } = await rotateKey(keys, old, { now: now(), overlap });
      visit.administered('key_rotated', old);
      const expires_at = timeOrNull(replaces.expires_at);
      return { ...(await shown(visit, key)), secret, replaces: { ...replaces, expires_at } };
    },
  }),
  ...Object.entries(CHANGES).map(([name, what]) =>
    consoleOperation({
      ...ADMINISTERED,
      name: `${name}_key`,
      route: `POST /keys/:unique_identifier/${name}`,
      run: async (visit, { id }) => {
        const key = await keyOf(visit, id);
        const changed = await visit.desk.keys[name as keyof typeof CHANGES](id);
        visit.administered(what, key);
        return shown(visit, changed ?? key);
      },
    }),
  ),
];
