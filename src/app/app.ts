/**
 * The composition root: builds the store, the services on top of it, and the HTTP server from settings and resources.
 * `app/` has the parts that need more than a line.
 */
import { access } from 'node:fs/promises';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { laterPart } from '../core/aside/names.ts';
import type { Settings } from '../core/config.ts';
import { createClientAddress } from '../core/network/client-address.ts';
import { isEverywhere } from '../core/network/networks.ts';
import { createLog, type Log } from '../core/observe/log.ts';
import type { Metrics } from '../core/observe/metrics/metrics.ts';
import type { StaffPlace } from '../core/observe/observers.ts';
import { type BackgroundPace, realPace } from '../core/pace.ts';
import { anchor, resources, root } from '../core/resources/index.ts';
import type { Resource } from '../core/schema/define.ts';
import { removeLeftFolders } from '../core/temporary.ts';
import { cookieIn, pageOf } from '../edge/console/session/visit.ts';
import { createSiteOf, isSecure } from '../edge/console/site.ts';
import { connectionsFor, mostDescriptors } from '../edge/limits/connections.ts';
import { operationsOf } from '../edge/operations/index.ts';
import type { Operation } from '../edge/operations/operation.ts';
import type { Cards } from '../edge/request/endpoints.ts';
import { createLinkBases } from '../edge/request/links.ts';
import type { Tls } from '../edge/server/tls.ts';
import { featureChecks } from '../features/serves.ts';
import { createAuthenticator } from '../records/auth/authenticator.ts';
import { createErasureJournal, journalFolders } from '../services/erasures/journal.ts';
import { requireErasureKeys } from '../services/erasures/steps.ts';
import { createImages } from '../services/images/images.ts';
import type { Moments } from '../services/moments/keeper.ts';
import { foldersOf } from '../services/moments/lags.ts';
import type { Provider } from '../services/staff/provider.ts';
import { type Authenticate, createStaffService } from '../services/staff/service.ts';
import { createBelievedClock, createElapsed } from '../store/believed-time.ts';
import { openStore, whichStore } from '../store/open.ts';
import { ERASED } from '../store/promises/erasing/book.ts';
import { type Store, StoreUnavailable } from '../store/promises/store.ts';
import { machineFigures, showFigures, startCounting } from './counting.ts';
import { readProvider, readSealerOf, requireFiles } from './files.ts';
import { addressOf, listen } from './listen.ts';
import type { ServingWorker } from './processes/worker.ts';
import { type AllServices, createServices, type ServicesParts } from './services.ts';
import { titlesAmong } from './titles.ts';

const MIB = 1_048_576;

export interface App {
  readonly store: Store;
  /** A request in this process, without a socket. */
  readonly inject: FastifyInstance['inject'];
  /** Reads the certificate again, if there is one. */
  readonly reloadCertificate: (() => Promise<void> | void) | undefined;
  readonly metrics: Pick<Metrics, 'figures'> | undefined;
  /** Listens, and returns the address, such as `http://127.0.0.1:8080`. */
  start(): Promise<string>;
  /** Answers requests in progress, then closes the socket and the store. Safe to call twice. */
  close(): Promise<void>;
}

export interface AppOptions {
  /** The clock of the machine, in milliseconds since 1970. */
  readonly now?: () => number;
  /** Milliseconds that pass whatever becomes of that clock. By default the clock, where one is given. */
  readonly elapsed?: () => number;
  /** The waits of background work; tests shorten them. */
  readonly pace?: BackgroundPace;
  readonly log?: Log;
  /** Pictures that are served without a key. */
  readonly cards?: Cards;
  /** Operations on objects other than records, by default all. */
  readonly operations?: readonly Operation[];
  /** The role of this process among several on one port; `undefined`: it is the only one. */
  readonly worker?: Pick<ServingWorker, 'isFirst' | 'exchange'> | undefined;
}

/**
 * Opens the store as its serving process, and creates or migrates it if needed. Throws `StoreUnusable`
 * and `SettingsError`; the latter before anything is opened where a setting is wrong or a file cannot be read.
 */
export async function createApp(settings: Settings, options: AppOptions = {}): Promise<App> {
  const { pace = realPace, log = createLog(settings.log_level), now: given } = options;
  const { elapsed = given ?? createElapsed() } = options;
  const machine = given ?? Date.now;
  const clock = createBelievedClock({ now: machine, elapsed }, (believed) =>
    log.clockOff(machine() - believed),
  );
  const { now } = clock;
  const { operations = operationsOf(resources), worker } = options;
  const isFirst = worker?.isFirst ?? true;

  // Files that the settings name are read first: if one is unusable, nothing is opened.
  await requireFiles(settings);
  const tls = await readTls(settings, log);
  const sealer = readSealerOf(settings);
  const provider = readProvider(settings);
  const scheme = tls === undefined ? 'http' : 'https';
  let address = addressOf(scheme, settings.host, settings.port);

  // What is opened is closed in reverse, also if the rest cannot be opened.
  await using opened = new AsyncDisposableStack();
  opened.defer(() => log.flush());
  opened.defer(() => tls?.close());
  const metrics = settings.metrics_port === undefined ? undefined : await startCounting();
  const metricsServer =
    metrics && worker === undefined ? await showFigures(metrics, log) : undefined;
  opened.defer(() => metricsServer?.close());

  let made: string | undefined;
  // The server's code is loaded while the store opens: both take as long.
  const [store, { createServer }] = await Promise.all([
    openStore({
      ...whichStore(settings),
      ...{ now, machine },
      create: !settings.require_store,
      serve: true,
      erasureKeys: sealer?.derived(ERASED),
      receiptBytes: settings.idempotency_mib * MIB,
      observer: metrics,
      notices: {
        ...log.store,
        made: (place) => {
          made = place;
        },
      },
    }),
    import('../edge/server/server.ts'),
  ]);
  opened.defer(() => store.close());
  clock.learn(await store.seenTime());
  const journal = createErasureJournal(store, {
    resources,
    sealer,
    folders: journalFolders(store, [settings.backup_to, settings.erasures_to]),
    now: machine,
    notices: log.journal,
    erased() {
      store.erasing.dropRemembered?.();
      services.ingest.dropCached();
    },
  });
  for (const check of featureChecks)
    await check({ store, resources, sealer, now }).catch((error: Error) => {
      // A cluster serves the accounts of those servers that are there.
      if (!(error instanceof StoreUnavailable)) throw error;
      log.warned('a feature could not look at all accounts before it serves', error);
    });
  await requireErasureKeys(store);
  await journal.look();
  removeLeftFolders().catch((error) => log.warned('old temporary folders were not removed', error));

  const shared = { settings, sealer, metrics, log, clock, pace };
  const services = await createServices(store, { ...shared, journal, isFirst, closing: opened });
  const callers = createCallers(store, { ...shared, services, provider, encrypted: !!tls });
  const { authenticate, clientAddressOf, staff, siteOf, secure } = callers;
  opened.defer(() => callers.authenticator.close());

  const ready = () => isReady(store, log);
  // The thread that writes has started when the server is made.
  const creating = createServer({
    resources,
    operations,
    services,
    images: createImages(services.outbound),
    cards: options.cards,
    gate: {
      authenticate,
      clientAddressOf,
      rateLimit: settings.rate_limit,
      exchange: worker?.exchange,
      maxConnections: mostConnections(settings),
      log,
      observer: metrics,
    },
    isReady: ready,
    isSetBack: journal.isSetBack,
    log,
    processes: settings.processes,
    observer: metrics?.requests,
    now,
    links: createLinkBases(settings.public_url, () => (isEverywhere(settings.host) ? '' : address)),
    staff,
    siteOf,
    secure,
    corsOrigins: settings.cors_origins,
  });
  // Only this process serves the store, so the jobs of the one before it are free.
  const releasing = store.processes === 'one' ? store.jobs.releaseAll() : undefined;
  const [{ server, drain }] = await Promise.all([creating, releasing]);
  opened.defer(() => server.close());
  tls?.protect(server.server);
  let moments: Moments | undefined;
  opened.defer(() => moments?.close());
  opened.defer(() => drain.drain());
  const folders = async () => [...(await foldersOf(store.backups, moments, now()))];
  metrics?.show({
    backup_lag_seconds: async () => (await folders()).map(([folder, { lag }]) => [folder, lag]),
    backup_whole_timestamp_seconds: async () =>
      (await folders()).map(([folder, one]) => [folder, one.whole_at ?? 0]),
    ...machineFigures(
      settings,
      ready,
      () => tls?.until,
      () => moments?.room(),
    ),
  });

  const running = opened.move();
  let closing: Promise<void> | undefined;
  return {
    store,
    inject: server.inject.bind(server) as FastifyInstance['inject'],
    reloadCertificate: tls?.reload,
    metrics,
    async start() {
      const { place } = store;
      address = await listen(settings, { server, metricsServer, scheme, log, place });
      // Upkeep tries it again.
      await journal.apply().catch((error) => log.warned('the journal was not applied', error));
      if (isFirst) await noteJournal(store.backups, settings.erasures_to, log);
      services.start();
      // One folder has one writer.
      if (isFirst && settings.backup_to !== undefined) {
        const { startMoments } = await import('../services/moments/keeper.ts');
        moments = startMoments(settings, log.moments);
      }
      if (made !== undefined) log.store.made(made);
      return address;
    },
    close: () => {
      closing ??= running.disposeAsync();
      return closing;
    },
  };
}

/** The connections of this process, one of several on the port. */
function mostConnections({ max_connections, processes }: Settings): number {
  return max_connections === undefined
    ? connectionsFor(mostDescriptors(), processes)
    : Math.ceil(max_connections / processes);
}

async function readTls({ tls_cert, tls_key }: Settings, log: Log): Promise<Tls | undefined> {
  if (tls_cert === undefined || tls_key === undefined) return undefined;
  const { createTls } = await import('../edge/server/tls.ts');
  return createTls({ cert: tls_cert, key: tls_key }, log.tls);
}

/** Commands without these settings, such as on other hosts, learn that there is a journal that they cannot sync. */
async function noteJournal(backups: Store['backups'], folder: string | undefined, log: Log) {
  await backups
    .noteJournal(hostname(), folder && resolve(folder))
    .catch((error) => log.warned('the folder of ERASURES_TO was not noted in the store', error));
}

async function isReady(store: Store, log: Log): Promise<boolean> {
  try {
    await access(laterPart);
  } catch (error) {
    log.warned(
      'files of the program are gone, which it loads when it needs them: start it again',
      error,
    );
    return false;
  }
  try {
    await store.checkWritable();
    return true;
  } catch (error) {
    log.warned('the store accepts no writes', error);
    return false;
  }
}

interface CallersParts extends Pick<ServicesParts, 'settings' | 'metrics' | 'log' | 'clock'> {
  readonly services: Pick<AllServices, 'audit' | 'keyUses' | 'regions'>;
  readonly provider: Provider | undefined;
  /** Whether the service itself speaks TLS. */
  readonly encrypted: boolean;
}

export function createCallers(store: Store, parts: CallersParts) {
  const { settings, services, provider, encrypted, metrics, clock, log } = parts;
  const { audit, keyUses, regions } = services;
  const clientAddressOf = createClientAddress(settings.trust_proxy);
  const authenticator = createAuthenticator({
    keys: store.keys,
    regions,
    clientAddressOf,
    now: clock.now,
    onFlushFailure: (error) => log.warned('last use of keys not noted', error),
  });
  const staff = createStaffService(store, {
    provider,
    regions,
    keyUses,
    openAmong: (accounts) => foundAmong(store, root, accounts, accounts),
    anchorsAmong: (ids, accounts) => foundAmong(store, anchor, ids, accounts),
    titlesAmong: (ids, scope) => titlesAmong(store, resources, ids, scope),
    now: clock.machine,
    observer: {
      signedIn(method, outcome, people, address, reason) {
        metrics?.signedIn(method, outcome);
        const what = `${method} ${outcome}`;
        for (const person of people.length === 0 ? [undefined] : people) {
          const { unique_identifier: by = null, accounts = [] } = person ?? {};
          log.signedIn(method, outcome, by ?? undefined, reason);
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
    // What a page asks by itself does not prevent a session from becoming idle.
    const active = person === 'asks' && request.headers['ledgerstone-unattended'] === undefined;
    return staff.authenticate(token, { active, page: pageOf(request) });
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
