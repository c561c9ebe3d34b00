/** Sets up who may call: programs by their keys, people by their sessions. */
import type { Settings } from '../core/config.ts';
import { createClientAddress } from '../core/network/client-address.ts';
import type { Log } from '../core/observe/log.ts';
import type { Metrics } from '../core/observe/metrics/metrics.ts';
import type { StaffPlace } from '../core/observe/observers.ts';
import { anchor, resources, root } from '../core/resources/index.ts';
import type { Resource } from '../core/schema/define.ts';
import { parseStored } from '../core/schema/json/json.ts';
import { titleOf } from '../core/schema/present/display.ts';
import type { JsonObject } from '../core/schema/values.ts';
import { cookieIn } from '../edge/console/session/visit.ts';
import { createSiteOf, isSecure } from '../edge/console/site.ts';
import { createAuthenticator } from '../records/auth/authenticator.ts';
import { type Authenticate, createStaffService } from '../services/staff/service.ts';
import type { Provider } from '../services/staff/single-sign-on.ts';
import type { Scope, Store } from '../store/promises/store.ts';
import type { AllServices } from './services.ts';

export interface CallersParts {
  readonly settings: Settings;
  readonly services: Pick<AllServices, 'audit' | 'regions'>;
  readonly provider: Provider | undefined;
  /** Whether the service itself speaks TLS. */
  readonly encrypted: boolean;
  readonly metrics: Metrics | undefined;
  readonly now: () => number;
  readonly log: Log;
}

export function createCallers(store: Store, parts: CallersParts) {
  const { settings, services, provider, encrypted, metrics, now, log } = parts;
  const { audit, regions } = services;
  const clientAddressOf = createClientAddress(settings.trust_proxy);
  const authenticator = createAuthenticator({
    keys: store.keys,
    regions,
    clientAddressOf,
    now,
    onFlushFailure: (error) => log.warned('last use of keys not noted', error),
  });
  const staff = createStaffService({
    book: store.staff,
    accounts: store.accounts,
    keys: store.keys,
    imports: store.imports,
    sources: store.sources,
    provider,
    regions,
    openAmong: (accounts) => foundAmong(store, root, accounts, accounts),
    anchorsAmong: (ids, accounts) => foundAmong(store, anchor, ids, accounts),
    titlesAmong: (ids, scope) => titlesAmong(store, ids, scope),
    now,
    observer: {
      signedIn(method, outcome, people, address) {
        metrics?.signedIn(method, outcome);
        const what = `${method} ${outcome}`;
        for (const person of people.length === 0 ? [undefined] : people) {
          const { unique_identifier: by = null, accounts = [] } = person ?? {};
          log.signedIn(method, outcome, by ?? undefined);
          audit.note({ action: 'sign_in', by, what, ...placeOf({ address, accounts }) });
        }
      },
      administered(what, by, record, where) {
        log.administered(what, by, record);
        audit.note({ action: 'administer', by, record, what, ...placeOf(where) });
      },
    },
    failed: log.warned,
  });
  const site = { publicUrl: settings.public_url, tls: encrypted };
  /** Whether browsers reach the service by HTTPS. */
  const secure = isSecure(site);
  const authenticate: Authenticate = (request, person) => {
    if (person === undefined) return authenticator.authenticate(request);
    const token = cookieIn(request.headers.cookie, 'session', { secure });
    // Requests that a page repeats by itself do not prevent a session from becoming idle.
    return staff.sessions.authenticate(token, person === 'asks');
  };
  return {
    authenticator,
    staff,
    clientAddressOf,
    authenticate,
    secure,
    siteOf: createSiteOf(site),
  };
}

function placeOf({ address, accounts }: StaffPlace = { address: undefined, accounts: [] }) {
  const [only, other] = accounts;
  return { address: address ?? null, account: other === undefined ? (only ?? null) : null };
}

/** The titles of those of these records that exist, by their identifiers. */
async function titlesAmong(
  store: Store,
  ids: readonly string[],
  scope: Scope,
): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    resources.map(async (resource) => {
      const wanted = ids.filter((id) => id.startsWith(resource.prefix));
      const records = wanted.length === 0 ? [] : await store.findAll(resource.shape, wanted, scope);
      return records.flatMap(({ unique_identifier, document }) => {
        const title = titleOf(resource, parseStored(document) as JsonObject);
        return title === undefined ? [] : [[unique_identifier, title] as const];
      });
    }),
  );
  return new Map(found.flat());
}

/** Finds which of these records exist, in open accounts. */
async function foundAmong(
  store: Store,
  { shape }: Resource,
  ids: readonly string[],
  accounts: readonly string[],
): Promise<readonly string[]> {
  const scope = { accounts: new Set(accounts), anchors: undefined };
  const found = await store.findAll(shape, ids, scope);
  return found.map(({ unique_identifier }) => unique_identifier);
}
