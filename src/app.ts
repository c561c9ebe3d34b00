/** The composition root: settings and the registry become a store, an ingest and a server. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import about from '../package.json' with { type: 'json' };
import { createAuthenticator } from './auth/authenticator.ts';
import type { Settings } from './config.ts';
import { catalogue } from './errors.ts';
import { createScheduler } from './fair/scheduler.ts';
import { tokenIn } from './http/console/cookie.ts';
import { createSiteOf } from './http/console/site.ts';
import { CONNECTION_REFUSALS } from './http/limits/connections.ts';
import { connectionsFor, mostDescriptors } from './http/limits/descriptors.ts';
import type { createMetricsServer } from './http/metrics-server.ts';
import type { Cards } from './http/routes/cards.ts';
import type { Tls } from './http/tls.ts';
import { createImages } from './images/images.ts';
import { createIngest } from './ingest/ingest.ts';
import { createClientAddress } from './network/client-address.ts';
import { isLoopback } from './network/loopback.ts';
import { createLog, type Log } from './observe/log.ts';
import type { Metrics } from './observe/metrics.ts';
import { whichStore } from './open-store.ts';
import { createOutbound } from './outbound/outbound.ts';
import { createQuery } from './query/query.ts';
import { createRecorder } from './requests/recorder.ts';
import { resources } from './resources/index.ts';
import type { Resource } from './schema/define.ts';
import { readSealer } from './sealing/sealer.ts';
import { createDesk, createEntrance } from './staff/desk.ts';
import { endedBy } from './staff/sessions.ts';
import type { Provider } from './staff/single-sign-on.ts';
import { openStore } from './store/open.ts';
import type { Store } from './store/store.ts';
import { startUpkeep, yielding } from './upkeep.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

const MIB = 1_048_576;
/**
 * How often the index of search is brought on; at the start others come first. While there
 * is always more to do it gets a third of the time, and a twentieth while many records arrive.
 */
const feeding = () => ({ everyMs: 500, pauseMs: yielding(50, 500), afterMs: 3_000 });
/**
 * Connections that the system keeps until they are accepted, as far as it allows. Of those
 * beyond it drops the first word, and a client says it again after a second, and after three.
 */
const BACKLOG = 10_000;

export interface App {
  readonly store: Store;
  /** A request in this process, without a socket. */
  readonly inject: FastifyInstance['inject'];
  /** Reads the certificate again, where there is one. */
  readonly reloadCertificate: (() => void) | undefined;
  /** Listens, and gives the address, such as `http://127.0.0.1:8080`. */
  start(): Promise<string>;
  /** Answers what has begun, then lets go of the socket and the store. Safe to call twice. */
  close(): Promise<void>;
}

export interface AppOptions {
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
  readonly log?: Log;
  /** Pictures to serve to anybody. */
  readonly cards?: Cards;
}

/** Opens the store, made and migrated where needed, as its one serving process. Throws `StoreUnusable`, or `CertificateUnusable` before anything is opened. */
export async function createApp(settings: Settings, options: AppOptions = {}): Promise<App> {
  const { now = Date.now, log = createLog(settings.log_level) } = options;
  const counted = settings.metrics_port === undefined ? undefined : await countedMetrics();
  const metrics = counted?.metrics;
  const tls = await createTlsOf(settings, log);
  const { secret_key_file } = settings;
  const sealer = secret_key_file === undefined ? undefined : readSealer(secret_key_file);
  let made: string | undefined;
  const opening = openStore({
    ...whichStore(settings),
    now,
    create: !settings.require_store,
    serve: true,
    receiptBytes: settings.idempotency_mib * MIB,
    observer: metrics?.store,
    notices: {
      ...log.store,
      made: (place) => {
        made = place;
      },
    },
  });
  // While the thread that writes, or the database, gets ready; reading the server takes as long.
  const [store, { createServer }] = await Promise.all([opening, import('./http/server.ts')]);
  metrics?.store.backups(async () => (await store.backups.last())?.taken_at);
  const clientAddressOf = createClientAddress(settings.trust_proxy);
  const authenticator = createAuthenticator({
    keys: store.keys,
    clientAddressOf,
    now,
    onFlushFailure: (error) => log.warned('last use of keys not noted', error),
  });
  const upkeep = [
    startUpkeep(
      () => store.purgeReceipts(),
      (error) => log.warned('no receipts were purged', error),
    ),
    startUpkeep(
      () => store.log.sweep(),
      (error) => log.warned('no old changes were removed', error),
    ),
    startUpkeep(
      async () => {
        await store.staff.purge(endedBy(now()));
        return false;
      },
      (error) => log.warned('no sessions that have ended were removed', error),
    ),
    startUpkeep(
      () => store.webhooks.purge(),
      (error) => log.warned('no old deliveries were removed', error),
    ),
    startUpkeep(
      () => store.requests.purge(),
      (error) => log.warned('no old requests were removed', error),
    ),
    startUpkeep(
      () => store.search.feed(),
      (error) => log.warned('the index of search was not brought on', error),
      feeding(),
    ),
  ];
  const scheme = tls === undefined ? 'http' : 'https';
  const recorder = createRecorder({
    book: store.requests,
    now,
    failed: (error) => log.warned('the log of requests was not written', error),
  });
  const outbound = createOutbound({
    allowed: settings.webhook_allow,
    agent: `Ledgerstone/${about.version}`,
  });
  const query = createQuery(store, resources, { now, observer: metrics?.changes });
  const webhooks = createWebhooks({
    ...{ store, resources, feed: query.feed, outbound, sealer, now },
    notices: {
      stopped: log.webhookStopped,
      failed: (error) => log.warned('webhooks were not delivered; they are retried', error),
      tried: (endpoint, outcome) => metrics?.webhooks.tried(endpoint, outcome),
    },
    observer: metrics?.webhooks,
  });
  let address = addressOf(scheme, settings.host, settings.port);
  const publicUrl = (): string => settings.public_url ?? address;

  const desk = createDesk({
    book: store.staff,
    accounts: store.accounts,
    keys: store.keys,
    provider: providerOf(settings),
    openAmong: (accounts) => foundAmong(store, root, accounts, accounts),
    anchorsAmong: (ids, accounts) => foundAmong(store, anchor, ids, accounts),
    now,
    observer: {
      signedIn(method, outcome, staff) {
        log.signedIn(method, outcome, staff);
        metrics?.signIns.signedIn(method, outcome);
      },
      administered: log.administered,
    },
    failed: log.warned,
  });

  const scheduler = createScheduler();
  const { server, drain } = await createServer({
    resources,
    ingest: createIngest(store, { resources, now, scheduler, observer: metrics?.commits }),
    query,
    images: createImages(outbound),
    cards: options.cards,
    scheduler,
    gate: {
      authenticator: createEntrance(authenticator, desk.sessions, tokenIn),
      clientAddressOf,
      rateLimit: settings.rate_limit,
      maxConnections: settings.max_connections ?? connectionsFor(mostDescriptors()),
      log,
      observers: metrics,
    },
    isReady: () =>
      store.checkWritable().then(
        () => true,
        (error) => {
          log.warned('the store accepts no writes', error);
          return false;
        },
      ),
    log,
    observer: metrics?.requests,
    store,
    requests: { recorder, book: store.requests },
    webhooks: webhooks.endpoints,
    now,
    publicUrl,
    isPublicUrlSet: settings.public_url !== undefined,
    desk,
    siteOf: createSiteOf({ publicUrl: settings.public_url, tls: tls !== undefined }),
    corsOrigins: settings.cors_origins,
    openapi: async () => {
      const { openapiDocument } = await import('./openapi/document.ts');
      return JSON.stringify(openapiDocument(resources, publicUrl()));
    },
  });

  tls?.protect(server.server);

  const metricsServer = counted?.createServer(counted.metrics, (error) =>
    log.warned('the metrics were not shown', error),
  );

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await drain.drain();
    await server.close();
    await authenticator.close();
    await Promise.all(upkeep.map((each) => each.close()));
    await recorder.close();
    await webhooks.close();
    outbound.close();
    await store.close();
    await metricsServer?.close();
    tls?.close();
    log.flush();
  };
  return {
    store,
    inject: server.inject.bind(server) as FastifyInstance['inject'],
    reloadCertificate: tls?.reload,
    async start() {
      // Fastify would listen at every address of localhost, on servers of which only the first can be drained.
      const host = settings.host === 'localhost' ? '127.0.0.1' : settings.host;
      const metricsPort = await metricsServer?.listen(host, settings.metrics_port ?? 0);
      await server.listen({ host, port: settings.port, backlog: BACKLOG });
      address = addressOf(scheme, settings.host, (server.server.address() as AddressInfo).port);
      log.listening(address, store.place);
      webhooks.start();
      if (made !== undefined) log.store.made(made);
      if (tls === undefined && !settings.plain_http && !isLoopback(settings.host))
        log.plainHttp(address);
      warnOfFewDescriptors(settings, log);
      if (metricsPort !== undefined)
        log.metricsListening(`${addressOf('http', settings.host, metricsPort)}/metrics`);
      return address;
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** Loaded only where it is wanted. */
async function createTlsOf({ tls_cert, tls_key }: Settings, log: Log): Promise<Tls | undefined> {
  if (tls_cert === undefined || tls_key === undefined) return undefined;
  const { createTls } = await import('./http/tls.ts');
  return createTls({ cert: tls_cert, key: tls_key }, log.tls);
}

function warnOfFewDescriptors({ max_connections: most }: Settings, log: Log): void {
  const descriptors = mostDescriptors();
  if (most !== undefined && most > descriptors) log.connectionsShort(most, descriptors);
}

/** What counts, and what shows it; loaded only where it is wanted. */
async function countedMetrics(): Promise<{
  readonly metrics: Metrics;
  readonly createServer: typeof createMetricsServer;
}> {
  const { createMetrics } = await import('./observe/metrics.ts');
  const { createMetricsServer: createServer } = await import('./http/metrics-server.ts');
  const metrics = createMetrics({
    version: about.version,
    resources: resources.map((resource) => resource.name),
    faults: Object.entries(catalogue)
      .map(([code, { status }]) => ({ code, status }))
      .filter(({ status }) => status >= 500),
    reasons: CONNECTION_REFUSALS,
  });
  return { metrics, createServer };
}

const root = theOne(({ parent }) => parent === undefined);
const anchor = theOne((resource) => resource.anchor);

function theOne(is: (resource: Resource) => boolean): Resource {
  const found = resources.find(is);
  if (found === undefined) throw new TypeError('The registry lacks a resource.');
  return found;
}

/** The provider of single sign-on, where there is one. Throws where its secret cannot be read. */
function providerOf(settings: Settings): Provider | undefined {
  const { oidc_issuer, oidc_client_id, oidc_secret_file, oidc_name } = settings;
  if (oidc_issuer === undefined || oidc_client_id === undefined) return undefined;
  return {
    issuer: oidc_issuer,
    clientId: oidc_client_id,
    clientSecret:
      oidc_secret_file === undefined ? undefined : readFileSync(oidc_secret_file, 'utf8').trim(),
    name: oidc_name ?? oidc_issuer,
  };
}

/** Those of these records that are there, in accounts that are open. */
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

function addressOf(scheme: 'http' | 'https', host: string, port: number): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
