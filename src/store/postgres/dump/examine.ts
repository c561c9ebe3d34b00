/** Examines a server and its settings. Changes nothing. */
import { type Finding, findingsOf } from '../../../core/observe/finding.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { schemaFinding } from '../../records/planner.ts';
import { type ClusterOptions, noStore } from '../open.ts';
import { outOfReach, readReached } from '../placement/servers.ts';
import { checkSpread, untestedCitus } from '../schema/distribution.ts';
import { findHindrances } from '../schema/hindrances.ts';
import {
  assertNamesFree,
  type Layout,
  measureStore,
  pendingSteps,
  readSchema,
} from '../schema/migrate.ts';
import { otherHolders } from '../schema/waiting.ts';
import { type Address, readAddress, untimed } from '../wire/address.ts';
import { asUnusable } from '../wire/failure.ts';
import { checkPooler, openSession } from '../wire/server.ts';
import type { Session } from '../wire/session.ts';

interface Examination extends Layout, ClusterOptions {
  readonly url: string;
  readonly shapes: readonly RecordShape[];
  readonly processes: number;
}

/** The most connections of one process, and those to be left for an operator's commands. */
const OF_PROCESS = 13;
const OF_COMMANDS = 7;
const MB = 1_048_576;
const SMALL_LOG_MB = 4_096;

type ServerLook = Readonly<
  Record<'version' | 'commits' | 'pages' | 'vacuum' | 'logged' | 'checksums', string> &
    Record<'connections' | 'ofRole' | 'ofDatabase' | 'log' | 'bytes', number> &
    Record<'until', number | null> &
    Record<'standby' | 'readOnly' | 'encrypted' | 'local', boolean>
>;

/** Gives a `ServerLook`. */
const look = `SELECT json_build_object('version', current_setting('server_version'),
    'commits', (SELECT reset_val FROM pg_settings WHERE name = 'synchronous_commit'),
    'pages', current_setting('full_page_writes'), 'vacuum', current_setting('autovacuum'),
    'connections', current_setting('max_connections')::int,
    'ofRole', (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user),
    'ofDatabase', (SELECT datconnlimit FROM pg_database WHERE datname = current_database()),
    'until', (SELECT extract(epoch FROM rolvaliduntil) * 1000 FROM pg_roles
      WHERE rolname = current_user AND isfinite(rolvaliduntil)),
    'log', (SELECT setting::int FROM pg_settings WHERE name = 'max_wal_size'),
    'standby', pg_is_in_recovery(),
    'readOnly', current_setting('default_transaction_read_only')::boolean,
    'encrypted', coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false),
    'local', coalesce(inet_client_addr() <<= '127.0.0.0/8' OR host(inet_client_addr()) = '::1', true),
    'bytes', pg_database_size(current_database()),
    'logged', coalesce((SELECT string_agg(name || ' is ' || reset_val, ', ' ORDER BY name) FROM pg_settings
      WHERE (name IN ('log_min_duration_statement', 'log_min_duration_sample') AND reset_val <> '-1'
          OR name = 'log_statement' AND reset_val IN ('mod', 'all'))
        AND current_setting('log_parameter_max_length') <> '0'), ''),
    'checksums', current_setting('data_checksums'))`;

/** Throws `StoreUnusable` if no readable store exists, or the server's settings rule one out. */
export async function examinePostgres(options: Examination): Promise<readonly Finding[]> {
  const { distribution } = options;
  const address = readAddress(options.url);
  await checkPooler(address);
  try {
    await using session = await openSession(untimed(address));
    const schema = await readSchema(session, address.place);
    checkSpread(schema, distribution, address.place);
    if (!schema.ours) throw noStore(address.place);
    await assertNamesFree(session, schema, options, address.place);
    const { steps, alone } = pendingSteps(schema, options, await measureStore(session, schema));
    const findings = [
      schemaFinding(steps, alone ? 'back up, stop all processes' : 'back up'),
      ...(await settings(session, options.processes)),
      ...(await locks(session)),
      ...(await tables(session, options.shapes)),
    ];
    if (distribution === undefined) return findings;
    return [...findings, ...(await clusterFindings(session, address, options))];
  } catch (error) {
    throw asUnusable(error, address.place);
  }
}

/** Names sessions of others that hold tables of the store, which writes may wait for. */
async function locks(session: Session): Promise<readonly Finding[]> {
  const others = (await session.query<readonly [who: string]>(otherHolders)).flat();
  if (others.length === 0) return [];
  const says = `Others hold tables of the store: ${others.join('; ')}. Writes that wait for them get 503 after some seconds. If they are not meant to, end them with SELECT pg_terminate_backend(PID).`;
  return [findingsOf('locks').warning(says)];
}

/** Looks at each table for what refuses writes there alone. */
async function tables(
  session: Session,
  shapes: readonly RecordShape[],
): Promise<readonly Finding[]> {
  const { good, warning, bad } = findingsOf('tables');
  const found = await findHindrances(session, shapes);
  if (found.length === 0)
    return [
      good(
        'The user may write to each table, and nobody has added conditions, triggers, rules or row level security.',
      ),
    ];
  return found.map(({ table, refuses, says }) =>
    refuses
      ? bad(`Writes to the table ${table} are refused: ${says}.`)
      : warning(`The table ${table} is not as it was made: ${says}.`),
  );
}

async function clusterFindings(
  session: Session,
  address: Address,
  { nodes = [], untested = false }: ClusterOptions,
): Promise<readonly Finding[]> {
  const { good, bad } = findingsOf('cluster');
  const version = untested ? undefined : await untestedCitus(session);
  const faults = await outOfReach(session, address, readReached(nodes));
  const wrong = [version ?? [], faults].flat();
  if (wrong.length > 0) return wrong.map(bad);
  return [good('This machine reaches each server of the cluster that the cluster itself reaches.')];
}

async function settings(session: Session, processes: number): Promise<Finding[]> {
  const seen: ServerLook = JSON.parse((await session.value<string>(look)) ?? '');
  const { commits, log, encrypted } = seen;
  const limits = [
    ['max_connections is', seen.connections],
    ['The user may have connections:', seen.ofRole],
    ['The database takes connections:', seen.ofDatabase],
  ] as const;
  // Below zero, there is none.
  const [limit, connections] = limits
    .filter(([, most]) => most >= 0)
    .reduce((one, other) => (other[1] < one[1] ? other : one));
  const needed = OF_PROCESS * processes + OF_COMMANDS;
  const finding = (
    check: string,
    isGood: boolean,
    good: string,
    otherwise: string,
    state: 'warning' | 'bad' = 'bad',
  ): Finding => findingsOf(check)[isGood ? 'good' : state](isGood ? good : otherwise);
  return [
    findingsOf('server').good(
      `PostgreSQL ${seen.version}; the database has ${Math.round(seen.bytes / MB)} MiB.`,
    ),
    finding(
      'primary',
      !seen.standby,
      'The server takes writes.',
      'The server is a standby and takes no writes: name the primary.',
    ),
    finding(
      'default_transaction_read_only',
      !seen.readOnly,
      'Transactions of this user may write.',
      'default_transaction_read_only is on for this user, the database or the server, so that every write is refused: if nobody means that, turn it off with ALTER ROLE, ALTER DATABASE or ALTER SYSTEM.',
    ),
    // Sessions are not opened where it is off.
    findingsOf('fsync').good('fsync is on: what is committed is on disk.'),
    finding(
      'full_page_writes',
      seen.pages === 'on',
      'full_page_writes is on.',
      'full_page_writes is off, so that a crash can damage tables: turn it on.',
    ),
    finding(
      'synchronous_commit',
      commits !== 'off',
      `synchronous_commit is ${commits}.`,
      'synchronous_commit is off for others; sessions of Ledgerstone turn it on for themselves, so nothing is lost here.',
      'warning',
    ),
    finding(
      'autovacuum',
      seen.vacuum === 'on',
      'autovacuum is on.',
      'autovacuum is off, so that tables grow without end: turn it on.',
    ),
    finding(
      'data_checksums',
      seen.checksums === 'on',
      'data_checksums is on: the server detects damage to its pages on disk.',
      'data_checksums is off, so that damage on disk goes unnoticed: stop the server and run "pg_checksums --enable".',
      'warning',
    ),
    finding(
      'connections',
      connections >= needed,
      `${limit} ${connections}.`,
      `${limit} ${connections}, and a process may use up to ${OF_PROCESS}: set at least ${needed}.`,
      'warning',
    ),
    ...validity(seen.until),
    finding(
      'max_wal_size',
      log >= SMALL_LOG_MB,
      `max_wal_size is ${log} MiB.`,
      `max_wal_size is ${log} MiB: under load set min_wal_size to 1GB and max_wal_size to 8GB, so that files of the log are used again.`,
      'warning',
    ),
    finding(
      'server_log',
      seen.logged === '',
      'The log of the server holds no values of records.',
      `The server writes values of records, names and phone numbers among them, into its own log: ${seen.logged}. Set log_parameter_max_length to 0.`,
      'warning',
    ),
    finding(
      'encryption',
      (encrypted && session.isVerified) || seen.local,
      encrypted
        ? 'The connection is encrypted, and the certificate of the server was verified.'
        : 'The server is on this machine.',
      encrypted
        ? 'The connection to the server is encrypted, but whose server it is was not verified, so that another one could stand in its place: add ?sslmode=verify-full to the address, and sslrootcert with the file of its authority where that is your own.'
        : 'The connection to the server is not encrypted: add ?sslmode=verify-full to the address, unless the network between is yours alone.',
      'warning',
    ),
    findingsOf('disk of the server').unseen(
      'The disk of the database server was not looked at, nor its free room: ask who runs it.',
    ),
  ];
}

const DAY_MS = 86_400_000;
/** How long before its end a password is named. */
const SOON_MS = 21 * DAY_MS;

/** Says whether the server still takes the user's password, and until when. */
function validity(until: number | null): readonly Finding[] {
  if (until === null) return [];
  const { good, warning, bad } = findingsOf('user');
  const day = new Date(until).toISOString().slice(0, 10);
  const says = `The password of the user is valid until ${day} (VALID UNTIL)`;
  if (until > Date.now() + SOON_MS) return [good(`${says}.`)];
  return [
    (until > Date.now() ? warning : bad)(
      `${says}, and new connections are refused then: ALTER ROLE … VALID UNTIL 'infinity', or set another one.`,
    ),
  ];
}
