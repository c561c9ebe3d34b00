/** Sets up who may call: programs by their keys, people by their sessions. */
import { createClientAddress } from '../core/network/client-address.ts';
import type { StaffPlace } from '../core/observe/observers.ts';
import { anchor, resources, root } from '../core/resources/index.ts';
import type { Resource } from '../core/schema/define.ts';
import { cookieIn } from '../edge/console/session/visit.ts';
import { createSiteOf, isSecure } from '../edge/console/site.ts';
import { createAuthenticator } from '../records/auth/authenticator.ts';
import { type Authenticate, createStaffService } from '../services/staff/service.ts';
import type { Provider } from '../services/staff/single-sign-on.ts';
import type { Store } from '../store/promises/store.ts';
import type { AllServices, ServicesParts } from './services.ts';
import { titlesAmong } from './titles.ts';

interface CallersParts extends Pick<ServicesParts, 'settings' | 'metrics' | 'log' | 'now'> {
  readonly services: Pick<AllServices, 'audit' | 'regions'>;
  readonly provider: Provider | undefined;
  /** Whether the service itself speaks TLS. */
  readonly encrypted: boolean;
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
    titlesAmong: (ids, scope) => titlesAmong(store, resources, ids, scope),
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
