/** Checks of `doctor` on the machine, the certificate, and everything that the service reaches apart from its store. */
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import about from '../../../package.json' with { type: 'json' };
import type { Settings } from '../../core/config.ts';
import { readCertificate } from '../../core/network/certificate.ts';
import { isEverywhere, isLoopback } from '../../core/network/networks.ts';
import { type Finding, findingsOf } from '../../core/observe/finding.ts';
import { shellWord } from '../../core/observe/shell-word.ts';
import { SettingsError } from '../../core/settings-error.ts';
import { leftFolders } from '../../core/temporary.ts';
import { discover } from '../../services/staff/single-sign-on.ts';
import { count } from '../output.ts';
import { isoDate } from '../time.ts';

const DAY_MS = 86_400_000;
const MIB = 1_048_576;
/** An ACME client renews 30 days before the end: what is left later than that was not renewed. */
const SOON_MS = 21 * DAY_MS;
const TRIED_BYTES = 65_536;
const MIN_MEMORY = 512 * MIB;

export function runtimeFinding(): Finding {
  const { good, warning } = findingsOf('runtime');
  const { version, versions } = process;
  const says = `Ledgerstone ${about.version} on Node ${version.slice(1)} with SQLite ${versions.sqlite}`;
  const [pinned] = Object.values(about.optionalDependencies);
  if (version !== `v${pinned}`)
    return warning(
      `${says}; it is tested on Node ${pinned}. Run "npm ci --omit=dev" in its folder to install that version.`,
    );
  const memory = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return memory < MIN_MEMORY
    ? warning(
        `${says}; it is limited to ${Math.round(memory / MIB)} MiB of memory. Give it at least 512 MiB.`,
      )
    : good(`${says}.`);
}

/** The checks after that, in the order in which they are reported. */
export const machineChecks = [
  processesFindings,
  certificateFindings,
  addressFindings,
  followedFolderFindings,
  providerFindings,
  temporaryFindings,
];

/** Whether the machine has room for all processes. */
function processesFindings({ processes }: Settings): readonly Finding[] {
  if (processes === 1) return [];
  const { good, warning } = findingsOf('processes');
  const processors = availableParallelism();
  const memory = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());
  const shared = `${processes} processes share ${count(processors, 'processor')} and ${Math.round(memory / MIB)} MiB of memory`;
  if (memory / processes < MIN_MEMORY)
    return [warning(`${shared}. Give each at least 512 MiB, or set PROCESSES to fewer.`)];
  return processes > processors
    ? [warning(`${shared}. Set PROCESSES to max: more gain nothing.`)]
    : [good(`${shared}.`)];
}

function certificateFindings(settings: Settings) {
  const { tls_cert: cert, tls_key: key, host, plain_http } = settings;
  const { warning } = findingsOf('certificate');
  if (cert === undefined || key === undefined) {
    if (isLoopback(host) || plain_http) return [];
    return warning(
      `Plain HTTP at ${host}: keys and records travel unencrypted. Set TLS_CERT and TLS_KEY, or put a TLS proxy in front and set PLAIN_HTTP.`,
    );
  }
  try {
    return [endFinding(readCertificate({ cert, key }).until, Date.now()), modeFinding(key)];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    // It is reported among the files.
    return [];
  }
}

function endFinding(until: number, now: number): Finding {
  const { good, warning, bad } = findingsOf('certificate');
  if (until <= now)
    return bad(
      `The certificate expired on ${isoDate(until)}, and clients refuse it. Renew it now.`,
    );
  return until - now < SOON_MS
    ? warning(
        `The certificate expires on ${isoDate(until)}. Renew it, and find out why it was not renewed earlier.`,
      )
    : good(`The certificate is valid until ${isoDate(until)}.`);
}

function modeFinding(key: string): Finding {
  const { good, bad } = findingsOf('private key');
  return (statSync(key).mode & 0o007) === 0
    ? good('Only its owner and group can use the private key.')
    : bad(
        `Everybody on this machine can use ${key}. Run this, and renew the certificate with a new key if others use this machine: chmod o= ${shellWord(key)}`,
      );
}

/** Whether the service could listen there: the addresses must be this machine's. The ports may be the running service's. */
async function addressFindings(settings: Settings): Promise<readonly Finding[]> {
  const { host, metrics_host, metrics_port } = settings;
  const named = { HOST: host, ...(metrics_port !== undefined && { METRICS_HOST: metrics_host }) };
  const found: Finding[] = [];
  for (const [variable, address] of Object.entries(named)) {
    const code = await triedAt(address);
    if (code === undefined) continue;
    const says = `${variable}: nothing can listen at ${address} (${code}). Name an address of this machine.`;
    found.push(findingsOf('addresses').bad(says));
  }
  if (metrics_port !== undefined && isEverywhere(metrics_host)) {
    const says = `Everybody who reaches port ${metrics_port} of this machine can read the metrics. Set METRICS_HOST to the address at which Prometheus reads them, or close the port to all others.`;
    return [...found, findingsOf('metrics').warning(says)];
  }
  return found;
}

/** The code of the system's error, where an address cannot be listened at. */
function triedAt(host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
    server.listen(0, host, () => server.close(() => resolve(undefined)));
  });
}

/** Whether files can be written to the folder that follows the store, or to the one in which it will be made. */
function followedFolderFindings({ backup_to }: Settings): readonly Finding[] {
  if (backup_to === undefined) return [];
  const { good, bad } = findingsOf('backup folder');
  const named = resolve(backup_to);
  let folder = named;
  while (!existsSync(folder)) folder = dirname(folder);
  let tried: string | undefined;
  try {
    tried = mkdtempSync(join(folder, '.doctor-'));
    // A full disk may still take a folder.
    writeFileSync(join(tried, 'tried'), Buffer.alloc(TRIED_BYTES), { flush: true });
    const missing = folder === named ? '' : `; ${named} is not there`;
    return [good(`${folder} can be written to${missing}.`)];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isFull = code === 'ENOSPC' || code === 'EDQUOT';
    const says = isFull
      ? `the disk of ${folder} is full. Make room on it.`
      : `nothing can be written to ${folder} by this user (${code}). Make the folder, and let the user that the service runs as write there.`;
    return [bad(`BACKUP_TO: ${says}`)];
  } finally {
    if (tried !== undefined) rmSync(tried, { recursive: true, force: true });
  }
}

/** Asks the provider of single sign-on who it is, as signing in does. */
async function providerFindings(settings: Settings): Promise<readonly Finding[]> {
  const { good, bad } = findingsOf('single sign-on');
  const { oidc_issuer: issuer, oidc_client_id } = settings;
  if (issuer === undefined || oidc_client_id === undefined) return [];
  try {
    // Its secret is not shown to it yet.
    await discover({ issuer, clientId: oidc_client_id, clientSecret: undefined });
    return [good(`${issuer} answers as a provider of single sign-on.`)];
  } catch (error) {
    const says = `Nobody can sign in through ${issuer}: ${reasonOf(error)}. Check OIDC_ISSUER, the name service, and the way out of this machine.`;
    return [bad(says)];
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  const why = cause instanceof Error ? `${message} (${cause.message})` : message;
  return why.replaceAll('\n', ' ').replace(/\.$/, '');
}

/** Folders that killed commands have left. */
async function temporaryFindings(): Promise<readonly Finding[]> {
  const left = await leftFolders();
  const [first] = left;
  if (first === undefined) return [];
  const more = left.length > 1 ? ` and ${left.length - 1} more like it` : '';
  const says = `${first}${more} was left by a command or a service that was killed, and may hold records. The service removes it when it starts; or remove it by hand.`;
  return [findingsOf('temporary files').warning(says)];
}
