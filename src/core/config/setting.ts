/** The values of all settings, and what is said of each. */

export interface Settings {
  readonly database_url: string;
  /** Into how many partitions tables are divided when they are made; 0: none. */
  readonly database_partitions: number;
  /** Whether to start only where there is a store already. */
  readonly require_store: boolean;
  /** The extension that distributes the tables over several servers; `undefined`: one server has them all. */
  readonly database_distribution: 'citus' | undefined;
  /** `name:port=address:port` of servers of a cluster that are reached at another address than the cluster knows. */
  readonly citus_nodes: readonly string[];
  /** Whether to write with a version of Citus that was not tested. */
  readonly citus_untested: boolean;
  /** How many days the log of changes goes back; 0: one day, without the content of records. */
  readonly history_days: number;
  /** How many days entries of the audit are stored. */
  readonly audit_days: number;
  /** Whether what people read is part of the audit. */
  readonly audit_reads: 'people' | 'off';
  readonly host: string;
  readonly port: number;
  /** How many processes serve, all on that port. */
  readonly processes: number;
  /** PEM files of the certificate and its private key; `undefined`: plain HTTP. */
  readonly tls_cert: string | undefined;
  readonly tls_key: string | undefined;
  /** Whether plain HTTP beyond this machine is meant to be. */
  readonly plain_http: boolean;
  readonly log_level: string;
  /** The public URL of the service; `undefined`: the address it listens on. */
  readonly public_url: string | undefined;
  readonly cors_origins: readonly string[];
  /** The networks of proxies that are believed when they say where a request comes from. */
  readonly trust_proxy: readonly string[];
  /** Networks that webhooks and other requests of this service may reach, in addition to the public internet. */
  readonly webhook_allow: readonly string[];
  /** The file with the key that secrets in the store are encrypted with; `undefined`: there are none. */
  readonly secret_key_file: string | undefined;
  /** The provider of single sign-on; `undefined`: there is none. */
  readonly oidc_issuer: string | undefined;
  readonly oidc_client_id: string | undefined;
  /** The file with the client's secret; `undefined`: a public client. */
  readonly oidc_secret_file: string | undefined;
  /** The provider's name on the sign-in page. */
  readonly oidc_name: string | undefined;
  /** How many MiB the stored answers for the Idempotency-Keys of one API key may take. */
  readonly idempotency_mib: number;
  /** Requests a second of each key that has no rate of its own; `undefined`: no limit. */
  readonly rate_limit: number | undefined;
  /** `undefined`: as many as the system lets the process have, within reason. */
  readonly max_connections: number | undefined;
  /** The folder of the continuous backup; `undefined`: none. */
  readonly backup_to: string | undefined;
  /**
   * How long to wait between two looks at what has changed, and how long what was written is retained; milliseconds.
   */
  readonly backup_every: number;
  readonly backup_keep: number;
  /** One more folder with a copy of the journal of erasures; `undefined`: none. */
  readonly erasures_to: string | undefined;
  /** The port of the metrics; `undefined`: nothing is counted. */
  readonly metrics_port: number | undefined;
  readonly metrics_host: string;
}

export interface Setting<N extends keyof Settings = keyof Settings> {
  readonly name: N;
  /** The command line option, as it is written in help. */
  readonly option: string;
  /** The environment variable. */
  readonly variable: string;
  /** The value as it would be written; empty for none. */
  readonly default: string;
  readonly says: string;
  /** The value, or a complaint that ends "X must be …". */
  read(text: string): { value: Settings[N] } | { complaint: string };
}

/** Checks the type of a setting's value. */
export function setting<N extends keyof Settings>(one: Setting<N>): Setting<N> {
  return one;
}
