/**
 * The composition root: builds the store, the services on top of it, and the HTTP server from settings and resources.
 * `app/` has the parts that need more than a line.
 */
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import about from '../../package.json' with { type: 'json' };
import type { Settings } from '../core/config.ts';
import { createClientAddress } from '../core/network/client-address.ts';
import { createLog, type Log } from '../core/observe/log.ts';
import type { Metrics } from '../core/observe/metrics/metrics.ts';
import { createOutbound } from '../core/outbound/outbound.ts';
import { type BackgroundPace, realPace } from '../core/pace.ts';
import { resources } from '../core/resources/index.ts';
import type { Deprecation } from '../core/schema/present/deprecations.ts';
import { removeLeftFolders } from '../core/temporary.ts';
import { cookieIn } from '../edge/console/session/cookie.ts';
import { createSiteOf, isSecure } from '../edge/console/site.ts';
import { connectionsFor, mostDescriptors } from '../edge/limits/descriptors.ts';
import { operationsOf } from '../edge/operations/index.ts';
import type { Operation } from '../edge/operations/operation.ts';
import type { Cards } from '../edge/routes/cards.ts';
import type { Tls } from '../edge/server/tls.ts';
import { createAuthenticator } from '../records/auth/authenticator.ts';
import { createRegions } from '../records/auth/region.ts';
import { createIngest } from '../records/ingest/ingest.ts';
import { createQuery } from '../records/query/query.ts';
import { AUDIT } from '../services/audit/chain.ts';
import { createAuditRecorder } from '../services/audit/recorder.ts';
import { requireErasureKeys } from '../services/erasures/erasure-keys.ts';
import { ErasureDesk } from '../services/erasures/erasures.ts';
import { journalFolders, journalOf } from '../services/erasures/journal.ts';
import { SentAgain } from '../services/erasures/sent-again.ts';
import { createWatch } from '../services/expectations/watch.ts';
import { HoldDesk } from '../services/holds/holds.ts';
import { createImages } from '../services/images/images.ts';
import { createUndoing } from '../services/import/undoing.ts';
import { type Moments, startMoments } from '../services/moments/keeper.ts';
import { foldersOf } from '../services/moments/lags.ts';
import { createMarks, MARKS } from '../services/requests/marks.ts';
import { createRecorder } from '../services/requests/recorder.ts';
import { RetentionDesk, ruled } from '../services/retention/rules.ts';
import { RetentionWork } from '../services/retention/work.ts';
import { createEntrance } from '../services/staff/desk.ts';
import { createMayRemove } from '../services/syncs/may-remove.ts';
import { createRemoving } from '../services/syncs/removing.ts';
import { createSyncs } from '../services/syncs/syncs.ts';
import { createAnnouncer } from '../services/webhooks/announced.ts';
import { requireSecrets } from '../services/webhooks/locked.ts';
import { createWebhooks } from '../services/webhooks/webhooks.ts';
import { BelievedTime } from '../store/believed-time.ts';
import { openStore, whichStore } from '../store/open.ts';
import { ERASED } from '../store/promises/erasing/book.ts';
import type { Store } from '../store/promises/store.ts';
import { createAddress } from './address.ts';
import { showFigures, startCounting } from './counting.ts';
import { readProvider, readSealerOf, requireFiles } from './files.ts';
import { listen } from './listen.ts';
import { createMachineView } from './machine.ts';
import { openapiAt } from './openapi.ts';
import { createPeople } from './people.ts';
import type { ServingWorker } from './processes/worker.ts';
import { startAllUpkeep } from './upkeep.ts';

const MIB = 1_048_576;

export interface App {
  readonly store: Store;
  /** A request in this process, without a socket. */
  readonly inject: FastifyInstance['inject'];
  /** Reads the certificate again, if there is one. */
  readonly reloadCertificate: (() => void) | undefined;
  readonly metrics: Pick<Metrics, 'figures'> | undefined;
  /** Listens, and returns the address, such as `http://127.0.0.1:8080`. */
  start(): Promise<string>;
  /** Answers requests in progress, then closes the socket and the store. Safe to call twice. */
  close(): Promise<void>;
}

export interface AppOptions {
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
  /** The waits of background work; tests shorten them. */
  readonly pace?: BackgroundPace;
  readonly log?: Log;
  /** Pictures that are served without a key. */
  readonly cards?: Cards;
  /** Deprecations, by default those of the table. */
  readonly deprecations?: readonly Deprecation[];
  /** Operations on objects other than records, by default all. */
  readonly operations?: readonly Operation[];
  /** The role of this process among several on one port; `undefined`: it is the only one. */
  readonly worker?: Pick<ServingWorker, 'isFirst' | 'exchange'> | undefined;
}

/**
 * Opens the store as its serving process, and creates or migrates it if needed. Throws `StoreUnusable`,
 * `SecretKeyUnusable`, or, before anything is opened, `SettingsError`.
 */
export async function createApp(settings: Settings, options: AppOptions = {}): Promise<App> {
  const { now = Date.now, pace = realPace, log = createLog(settings.log_level) } = options;
  const { operations = operationsOf(resources), worker } = options;
  const { processes } = settings;
  const isFirst = worker?.isFirst ?? true;

  // Files that the settings name are read first: if one is unusable, nothing is opened.
  requireFiles(settings);
  const tls = await readTls(settings, log);
  const { public_url } = settings;
  const sealer = readSealerOf(settings);
  const provider = readProvider(settings);
  const address = createAddress(settings, tls === undefined ? 'http' : 'https');
  const metrics = settings.metrics_port === undefined ? undefined : await startCounting();
  const metricsServer =
    metrics && worker === undefined ? await showFigures(metrics, log) : undefined;

  let made: string | undefined;
  const opening = openStore({
    ...whichStore(settings),
    now,
    create: !settings.require_store,
    serve: true,
    erasureKeys: sealer?.derived(ERASED),
    receiptBytes: settings.idempotency_mib * MIB,
    observer: metrics?.store,
    notices: {
      ...log.store,
      made: (place) => {
        made = place;
      },
    },
  });
  // The server's code is loaded while the store opens: both take as long.
  const [store, { createServer }] = await Promise.all([
    opening,
    import('../edge/server/server.ts'),
  ]);
  const folders = journalFolders(store, [settings.backup_to, settings.erasures_to]);
  const journal = journalOf(store, {
    ...{ resources, sealer, folders, now, notices: log.journal },
    erased() {
      store.erasing.dropRemembered?.();
      ingest.dropCached();
    },
  });
  try {
    await requireSecrets(store.webhooks, sealer, now());
    await requireErasureKeys(store);
    await journal.look();
  } catch (error) {
    await store.close();
    await metricsServer?.close();
    throw error;
  }
  metrics?.store.backups(async () => (await store.backups.last())?.taken_at);
  let moments: Moments | undefined;
  metrics?.store.moments(() => foldersOf(store.backups, moments, now()));
  removeLeftFolders().catch((error) => log.warned('old temporary folders were not removed', error));
  metrics?.store.journal(() => journal.lag);
  metrics?.store.expectations(() => store.expectations.states());
  metrics?.store.holds(() => store.holds.count());
  const [anchor] = resources.flatMap((one) => (one.anchor ? [one.shape] : []));
  if (anchor === undefined) throw new TypeError('There are no locations.');
  const watch = createWatch({ store, anchor, announce: createAnnouncer(store, now), now });
  const erasures = new ErasureDesk(store, {
    ...{ resources, sealer, journal, now, looks: isFirst },
    backupKeepMs: settings.backup_to === undefined ? undefined : settings.backup_keep,
  });
  const chained = { book: store.audit, key: sealer?.derived(AUDIT)[0], now };
  const audit = createAuditRecorder({
    ...chained,
    ...{ requests: store.requests, head: log.auditHead, headsOfAll: isFirst },
    ...{ reads: settings.audit_reads === 'people', days: settings.audit_days, pace },
    failed: (error) => log.warned('the audit was not written', error),
  });
  metrics?.store.audit(audit.figures);
  const holds = new HoldDesk(store, resources, now);
  const time = new BelievedTime(store, { now }, (seen) => log.clockOff(now() - seen));
  const isKeyed = sealer !== undefined;
  const retention = new RetentionDesk(store, { resources, now, isKeyed });
  const aging = new RetentionWork({
    ...{ store, resources, now, isKeyed, works: isFirst },
    holds: () => time.holds(),
    removed: (resource) => metrics?.store.aged(resource),
  });
  const aged = ruled(resources).map(({ name }) => name);
  metrics?.store.retention(aged, () => store.retention.statuses());
  const sentAgain = new SentAgain(store, now);
  metrics?.store.erasures(() => store.erasures.summary());
  metrics?.store.sentAgain(() => store.erasureNotes.sentAgain());
  const recorder = createRecorder({
    book: store.requests,
    now,
    pace,
    failed: (error) => log.warned('the log of requests was not written', error),
  });

  // The services on top of the store.
  const ingest = createIngest(store, {
    ...{ resources, now, observer: metrics?.commits },
    committed: (drafts, outcomes) => sentAgain.note(drafts, outcomes),
  });
  const { restoreRemoval } = ingest;
  const regions = createRegions(store, resources, now);
  const mayRemove = createMayRemove(store, regions);
  const removing = createRemoving({ store, resources, restoreRemoval, mayRemove, now });
  const undoing = createUndoing(store, resources);
  const query = createQuery(store, resources, { now, observer: metrics?.changes });
  const told = async (): Promise<void> => {
    await store.erasureNotes.follow(query.feed.followers.takeRead(now()));
    await sentAgain.flush();
    await erasures.consumers.look();
  };
  const upkeep = startAllUpkeep(store, {
    ...{ audit, erasures, told, journal, holds, removing, undoing, aging, time },
    ...{ now, pace, log, watch },
  });
  const outbound = createOutbound({
    allowed: settings.webhook_allow,
    agent: `Ledgerstone/${about.version}`,
  });
  const webhooks = createWebhooks({
    ...{ store, resources, regions, feed: query.feed, outbound, sealer, now, pace },
    notices: {
      stopped: log.webhookStopped,
      failed: (error) => log.warned('webhooks were not delivered; they are retried', error),
      tried: (endpoint, outcome) => metrics?.webhooks.tried(endpoint, outcome),
    },
    observer: metrics?.webhooks,
  });

  // Callers: programs by their keys, people by their sessions.
  const clientAddressOf = createClientAddress(settings.trust_proxy);
  const authenticator = createAuthenticator({
    keys: store.keys,
    regions,
    clientAddressOf,
    now,
    onFlushFailure: (error) => log.warned('last use of keys not noted', error),
  });
  const desk = createPeople(store, {
    provider,
    regions,
    now,
    log,
    audit,
    observer: metrics?.signIns,
  });

  const site = { publicUrl: public_url, tls: tls !== undefined };
  const secure = isSecure(site);
  metrics?.machine.watch(
    createMachineView(settings, {
      isReady: () => isReady(store, log),
      certificateUntil: () => tls?.until,
    }),
  );

  const { server, drain } = await createServer({
    resources,
    operations,
    ingest,
    query,
    images: createImages(outbound),
    cards: options.cards,
    gate: {
      entrance: createEntrance(authenticator, desk.sessions, (cookie) =>
        cookieIn(cookie, 'session', { secure }),
      ),
      clientAddressOf,
      rateLimit: settings.rate_limit,
      exchange: worker?.exchange,
      maxConnections:
        settings.max_connections === undefined
          ? connectionsFor(mostDescriptors(), processes)
          : Math.ceil(settings.max_connections / processes),
      log,
      observers: metrics,
    },
    isReady: () => isReady(store, log),
    isSetBack: () => journal.isApplying,
    log,
    processes,
    observer: metrics?.requests,
    store,
    recorder,
    audit,
    webhooks: webhooks.endpoints,
    erasures,
    holds,
    retention,
    syncs: createSyncs({ store, resources, removing, now }),
    undoing,
    marks: sealer && createMarks(sealer.derived(MARKS)),
    now,
    publicUrl: () => address.linked,
    isPublicUrlSet: public_url !== undefined,
    desk,
    siteOf: createSiteOf(site),
    secure,
    corsOrigins: settings.cors_origins,
    deprecations: options.deprecations,
    openapi: () => openapiAt(address.linked),
  });
  tls?.protect(server.server);

  // In order, from the server down to the store.
  const close = async (): Promise<void> => {
    await drain.drain();
    await moments?.close();
    await server.close();
    await authenticator.close();
    await removing.close();
    await undoing.close();
    await upkeep.close();
    await erasures.settled();
    await recorder.close();
    await audit.close();
    await webhooks.close();
    outbound.close();
    await store.close();
    await metricsServer?.close();
    tls?.close();
    log.flush();
  };
  let closing: Promise<void> | undefined;
  return {
    store,
    inject: server.inject.bind(server) as FastifyInstance['inject'],
    reloadCertificate: tls?.reload,
    metrics,
    async start() {
      await listen(settings, {
        ...{ server, metricsServer, address, log },
        encrypted: tls !== undefined,
        place: store.place,
      });
      await journal.apply();
      if (isFirst) await noteJournal(store.backups, settings.erasures_to, log);
      webhooks.start();
      // One folder has one writer.
      if (isFirst) moments = startMoments(settings, log.moments);
      if (made !== undefined) log.store.made(made);
      return address.listening;
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** Loaded only when needed. */
async function readTls({ tls_cert, tls_key }: Settings, log: Log): Promise<Tls | undefined> {
  if (tls_cert === undefined || tls_key === undefined) return undefined;
  const { createTls } = await import('../edge/server/tls.ts');
  return createTls({ cert: tls_cert, key: tls_key }, log.tls);
}

/** Commands without these settings, such as on other hosts, learn that there is a journal that they cannot sync. */
async function noteJournal(
  backups: Store['backups'],
  folder: string | undefined,
  log: Log,
): Promise<void> {
  await backups
    .noteJournal(hostname(), folder && resolve(folder))
    .catch((error) => log.warned('the folder of ERASURES_TO was not noted in the store', error));
}

async function isReady(store: Store, log: Log): Promise<boolean> {
  try {
    await store.checkWritable();
    return true;
  } catch (error) {
    log.warned('the store accepts no writes', error);
    return false;
  }
}
