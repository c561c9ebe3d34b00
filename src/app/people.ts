/** Sets up sign-in for people from the settings and the registry. */
import type { Log } from '../core/observe/log.ts';
import type { SignInObserver, StaffPlace } from '../core/observe/observers.ts';
import { resources } from '../core/resources/index.ts';
import type { Resource } from '../core/schema/define.ts';
import type { Regions } from '../records/auth/region.ts';
import type { AuditRecorder } from '../services/audit/recorder.ts';
import { createDesk, type Desk } from '../services/staff/desk.ts';
import type { Provider } from '../services/staff/single-sign-on.ts';
import type { Store } from '../store/promises/store.ts';

export interface PeopleParts {
  readonly provider: Provider | undefined;
  readonly regions: Regions;
  readonly now: () => number;
  readonly log: Log;
  readonly observer: SignInObserver | undefined;
  readonly audit: Pick<AuditRecorder, 'note'>;
}

export function createPeople(
  store: Store,
  { provider, regions, now, log, observer, audit }: PeopleParts,
): Desk {
  return createDesk({
    book: store.staff,
    accounts: store.accounts,
    keys: store.keys,
    imports: store.imports,
    sources: store.sources,
    provider,
    regions,
    openAmong: (accounts) => foundAmong(store, root, accounts, accounts),
    anchorsAmong: (ids, accounts) => foundAmong(store, anchor, ids, accounts),
    now,
    observer: {
      signedIn(method, outcome, staff, where) {
        log.signedIn(method, outcome, staff);
        observer?.signedIn(method, outcome);
        const what = `${method} ${outcome}`;
        audit.note({ action: 'sign_in', by: staff ?? null, what, ...placeOf(where) });
      },
      administered(what, by, record, where) {
        log.administered(what, by, record);
        audit.note({ action: 'administer', by, record, what, ...placeOf(where) });
      },
    },
    failed: log.warned,
  });
}

function placeOf({ address, accounts }: StaffPlace = { address: undefined, accounts: [] }) {
  const [only, other] = accounts;
  return { address: address ?? null, account: other === undefined ? (only ?? null) : null };
}

const root = theOne(({ parent }) => parent === undefined);
const anchor = theOne((resource) => resource.anchor);

function theOne(is: (resource: Resource) => boolean): Resource {
  const found = resources.find(is);
  if (found === undefined) throw new TypeError('The registry lacks a resource.');
  return found;
}

/** Those of these records that exist, in open accounts. */
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
