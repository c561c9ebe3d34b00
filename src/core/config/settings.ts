/**
 * Every setting: its name, where it is read from, its default and a sentence. `--help`, `ledgerstone config`, the
 * documentation and the one error that lists all wrong settings come from this table.
 */
import { availableParallelism } from 'node:os';
import { RATE_MUST_BE, readRate } from '../rate.ts';
import {
  checked,
  FOLLOWED_EVERY,
  FOLLOWED_KEEP,
  listed,
  orNothing,
  quote,
  readAddress,
  readCount,
  readDatabaseUrl,
  readHost,
  readIssuer,
  readNetworks,
  readNodes,
  readPath,
  readPort,
  readShort,
  readTime,
  readTruth,
  type SettingValue,
} from './readers.ts';

const MAX_HISTORY_DAYS = 36_500;
/** Each is a table with indexes of its own, which the server keeps an eye on. */
const MAX_PARTITIONS = 256;
const MIN_CONNECTIONS = 8;
const MAX_PROCESSES = 128;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** The declaration of a setting; its variable has its name in capitals. */
interface Declared {
  /** The command line option, where that is not its name with hyphens. */
  readonly option?: string;
  /** The value of the option in help; without one, the option alone is `true`. */
  readonly takes?: string;
  /** The value as it would be written; left out: it is not set. */
  readonly default?: string;
  readonly says: string;
  readonly read: (text: string) => SettingValue<unknown>;
}

// A comment before a setting that few need says who does.
const declared = {
  database_url: {
    takes: '<url>',
    default: 'sqlite:./data/ledgerstone.db',
    says: 'Where records are stored: sqlite:PATH, relative to the current folder unless it starts with a slash, or postgres://USER:PASSWORD@HOST:PORT/DATABASE; of a Citus cluster, HOST:PORT may be several, separated by commas',
    read: readDatabaseUrl,
  },
  // For tables of hundreds of millions of rows on one server, which autovacuum walks a partition at a time.
  database_partitions: {
    takes: '<number>',
    default: '0',
    says: 'The number of partitions, by account, into which PostgreSQL tables are divided when they are created; 0 for none. Existing tables stay as they are',
    read: (text) => readCount(text, 0, MAX_PARTITIONS),
  },
  require_store: {
    option: '--existing',
    default: 'false',
    says: 'Start only if the store exists; never create one: true or false',
    read: readTruth,
  },
  database_distribution: {
    takes: '<kind>',
    says: 'Set to citus to distribute the tables of a PostgreSQL database over several servers with Citus, by account; fixed once they are created',
    read: orNothing((text) =>
      checked(text === 'citus', 'citus' as const, 'must be citus, or not set'),
    ),
  },
  // Where workers know each other by names of a network that this process is not in, such as in containers.
  citus_nodes: {
    takes: '<list>',
    says: 'Where this process reaches servers of a Citus cluster, if not at the names that the cluster knows: name:port=address:port, separated by commas',
    read: readNodes,
  },
  // A way on when only a newer Citus is to be had: without it nothing is written there.
  citus_untested: {
    takes: '<flag>',
    default: 'no',
    says: 'Whether to write with a major version of Citus that Ledgerstone was not tested with: yes or no',
    read: (text) => readTruth(text, 'yes', 'no'),
  },
  history_days: {
    takes: '<number>',
    default: '400',
    says: 'The number of days for which the log of changes keeps changes and earlier contents of records. With 0, removed content is gone at once, and the log only tells which records changed, for one day',
    read: (text) => readCount(text, 0, MAX_HISTORY_DAYS),
  },
  audit_days: {
    takes: '<number>',
    default: '800',
    says: 'The number of days for which the audit keeps its entries: who opened, searched, exported or administered what',
    read: (text) => readCount(text, 1, MAX_HISTORY_DAYS),
  },
  // Where a works council or a law forbids that what employees read is recorded.
  audit_reads: {
    takes: '<whose>',
    default: 'people',
    says: 'Whose reads the audit records: people, or off for nobody. How much keys read in each hour, exports, sign-ins, administration and commands are always recorded',
    read: (text) => {
      const value = text as 'people' | 'off';
      return checked(['people', 'off'].includes(text), value, 'must be people or off');
    },
  },
  host: {
    takes: '<address>',
    default: '127.0.0.1',
    says: 'The address to listen on; 0.0.0.0 or :: for all addresses of this machine',
    read: readHost,
  },
  port: {
    takes: '<number>',
    default: '8080',
    says: 'The port to listen on; 0 for any free port',
    read: readPort,
  },
  processes: {
    takes: '<number>',
    default: '1',
    says: `How many processes serve on that port, on PostgreSQL: 1 to ${MAX_PROCESSES}, or max for one per processor. One that ends is replaced. SQLite is served by one process`,
    read: (text) => {
      const count =
        text === 'max' ? availableParallelism() : /^\d{1,3}$/.test(text) ? Number(text) : 0;
      const isValid = count >= 1 && count <= MAX_PROCESSES;
      return checked(isValid, count, `must be a whole number from 1 to ${MAX_PROCESSES}, or max`);
    },
  },
  tls_cert: {
    takes: '<file>',
    says: 'The PEM file with the certificate and its chain, for HTTPS; reloaded when it changes and on SIGHUP. Without it the service speaks plain HTTP',
    read: readPath,
  },
  tls_key: {
    takes: '<file>',
    says: 'The PEM file with the private key of that certificate, without a passphrase',
    read: readPath,
  },
  // For a proxy on another machine of a network that only it shares.
  plain_http: {
    default: 'false',
    says: 'Do not warn about plain HTTP beyond this machine, for use behind a TLS proxy: true or false',
    read: readTruth,
  },
  log_level: {
    takes: '<level>',
    default: 'info',
    says: `How much to log: ${LOG_LEVELS.join(', ')}`,
    read: (text) =>
      checked(LOG_LEVELS.includes(text), text, `must be one of ${LOG_LEVELS.join(', ')}`),
  },
  public_url: {
    takes: '<url>',
    says: 'The public address of the service, for links in answers; without it links are relative, but for callers who come by the very address that the service listens on',
    read: orNothing((text) =>
      readAddress(
        text,
        ({ protocol }) => protocol === 'https:' || protocol === 'http:',
        'must be an http or https URL without a query, such as https://records.example.com',
      ),
    ),
  },
  // For a page inside an operator's network, in which a person types a key.
  cors_origins: {
    takes: '<origins>',
    says: 'The origins whose pages may call the service from a browser, separated by commas, such as https://console.example.com; none by default',
    read: (text) => {
      const origins = listed(text);
      const wrong = origins.find((origin) => URL.parse(origin)?.origin !== origin);
      return checked(
        wrong === undefined,
        origins,
        `must be origins such as https://console.example.com, without a path; ${quote(wrong ?? '')} is not one`,
      );
    },
  },
  trust_proxy: {
    takes: '<networks>',
    says: 'The proxies to trust when X-Forwarded-For or Forwarded says where a request comes from: addresses or networks, separated by commas, such as 10.0.0.0/8; none by default',
    read: (text) =>
      readNetworks(text, 'of proxies', 'is everybody, who could then claim any address'),
  },
  webhook_allow: {
    takes: '<networks>',
    says: 'The private networks that webhooks may reach, also by plain HTTP, separated by commas, such as 10.1.0.0/16. By default they reach only public addresses, by HTTPS',
    read: (text) =>
      readNetworks(text, 'that webhooks may reach', 'is every address, also of this machine'),
  },
  secret_key_file: {
    takes: '<file>',
    says: 'The file with the key that encrypts the secrets of webhook endpoints in the store, and from which the key of the audit is made: 32 random bytes in base64, as "head -c 32 /dev/urandom | base64" writes them. To change it, put the new key on a line before the old one. Without it there are no webhooks, and refused requests cannot be found by external identifiers',
    read: readPath,
  },
  oidc_issuer: {
    takes: '<url>',
    says: 'The OpenID Connect provider with which people may sign in to the console, such as https://login.example.com; none by default',
    read: readIssuer,
  },
  oidc_client_id: {
    takes: '<id>',
    says: 'The identifier of this service at that provider',
    read: readShort,
  },
  oidc_secret_file: {
    takes: '<file>',
    says: 'The file with the secret of this service at that provider; without it, only PKCE proves who asks',
    read: readPath,
  },
  // People look for the name of the provider that they know.
  oidc_name: {
    takes: '<text>',
    default: 'Single sign-on',
    says: 'The name of that provider on the sign-in page',
    read: readShort,
  },
  // Bounds what one key may fill; a load of more than 600,000 keyed requests a day needs more.
  idempotency_mib: {
    takes: '<number>',
    default: '512',
    says: 'How many MiB of requests with an Idempotency-Key are kept for one API key. Each counts half a KiB, and a whole array the outcomes of its rows beside, for 24 hours; further requests get 429',
    read: (text) => readCount(text, 1, 9_999_999),
  },
  rate_limit: {
    takes: '<rate>',
    says: 'How many requests each key without a rate of its own may send, such as 100/s or 6000/m; unlimited by default',
    read: orNothing((text) => {
      const rate = readRate(text);
      return rate === undefined ? { complaint: RATE_MUST_BE } : { value: rate };
    }),
  },
  // For machines whose limit on open files is shared with other services.
  max_connections: {
    takes: '<number>',
    says: 'How many connections may be open at once, in all processes together; more are refused. By default four fifths of the open files that the system allows each process (ulimit -n), at most 10,000 together',
    read: orNothing((text) => readCount(text, MIN_CONNECTIONS, 999_999)),
  },
  backup_to: {
    takes: '<folder>',
    says: 'The folder to back up to while the service runs, so that a moment of the last days can be restored: a whole backup each day, and every few seconds what has changed. Best on another disk. None by default',
    read: readPath,
  },
  // A slow disk at the other end takes a longer pause.
  backup_every: {
    takes: '<duration>',
    default: '10s',
    says: 'How often what has changed is written to BACKUP_TO: the most that a lost disk can cost',
    read: (text) => readTime(text, ...FOLLOWED_EVERY),
  },
  backup_keep: {
    takes: '<duration>',
    default: '7d',
    says: 'How long to keep what was written to BACKUP_TO',
    read: (text) => readTime(text, ...FOLLOWED_KEEP),
  },
  erasures_to: {
    takes: '<folder>',
    says: 'An existing folder for a copy of the journal of erasures, by which erased records stay erased when an older backup or snapshot is restored. It is in BACKUP_TO, too; where neither is set, beside a SQLite store. Best on another disk',
    read: readPath,
  },
  metrics_port: {
    takes: '<number>',
    says: 'The port that serves /metrics to Prometheus, at METRICS_HOST and without a key; 0 for any free port. Off by default',
    read: orNothing(readPort),
  },
  // Prometheus mostly runs on another machine.
  metrics_host: {
    takes: '<address>',
    default: '127.0.0.1',
    says: 'The address at which the metrics are served; 0.0.0.0 or :: for all addresses of this machine. Every client that reaches it can read them',
    read: readHost,
  },
} as const satisfies Readonly<Record<string, Declared>>;

type ValueOf<Reading> = Reading extends { readonly value: infer Value } ? Value : never;

/** The values of all settings: `undefined` for one that is not set, and durations in milliseconds. */
export type Settings = {
  readonly [N in keyof typeof declared]: ValueOf<ReturnType<(typeof declared)[N]['read']>>;
};

export const settings = Object.entries<Declared>(declared).map(([name, one]) => ({
  ...one,
  name: name as keyof Settings,
  option: [one.option ?? `--${name.replaceAll('_', '-')}`, one.takes].join(' ').trim(),
  variable: name.toUpperCase(),
  default: one.default ?? '',
}));

export type Setting = (typeof settings)[number];
