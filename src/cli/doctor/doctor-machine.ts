/** Checks of `doctor` on the machine, the certificate, and everything that the service reaches apart from its store. */
import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { resolve } from 'node:path';
import about from '../../../package.json' with { type: 'json' };
import { namedFiles, namedFinding, readProvider } from '../../app/files.ts';
import { proxyVariables, type Settings } from '../../core/config.ts';
import { readCertificate } from '../../core/network/certificate.ts';
import { isEverywhere, isLoopback } from '../../core/network/networks.ts';
import { type Finding, findingsOf } from '../../core/observe/finding.ts';
import { shellWord } from '../../core/observe/shell-word.ts';
import { temporaryFault } from '../../core/owners.ts';
import { SettingsError } from '../../core/settings-error.ts';
import { discover, obstaclesAt, type Provider, reasonOf } from '../../services/staff/provider.ts';
import { CALLBACK } from '../../services/staff/single-sign-on.ts';
import { count } from '../output.ts';
import { isoDate } from '../time.ts';
import type { Looks } from './looks.ts';

const DAY_MS = 86_400_000;
const MIB = 1_048_576;
/** An ACME client renews 30 days before the end: what is left later than that was not renewed. */
const SOON_MS = 21 * DAY_MS;
const MIN_MEMORY = 512 * MIB;

export function runtimeFinding(): Finding {
  const { good, warning } = findingsOf('runtime');
  const { version, versions } = process;
  const says = `Ledgerstone ${about.version} on Node ${version.slice(1)} with SQLite ${versions.sqlite}`;
  // Those of other systems may be of another day.
  const own = Object.entries(about.optionalDependencies).find(([name]) =>
    name.endsWith(`${process.platform}-${process.arch}`),
  );
  const pinned = own?.[1] ?? version.slice(1);
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
  namedFindings,
  processesFindings,
  certificateFindings,
  addressFindings,
  followedFolderFindings,
  proxyFindings,
  providerFindings,
  temporaryFindings,
];

/** One for each file that the settings name. */
async function namedFindings(settings: Settings, looks: Looks): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const one of namedFiles) {
    const answers = await looks.answer(one.names.map((name) => settings[name]));
    findings.push(...[answers ? (namedFinding(one, settings) ?? []) : []].flat());
  }
  return findings;
}

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

async function certificateFindings(settings: Settings, looks: Looks) {
  const { tls_cert: cert, tls_key: key, host, plain_http } = settings;
  const { warning } = findingsOf('certificate');
  if (cert === undefined || key === undefined) {
    if (isLoopback(host) || plain_http) return [];
    return warning(
      `Plain HTTP at ${host}: keys and records travel unencrypted. Set TLS_CERT and TLS_KEY, or put a TLS proxy in front and set PLAIN_HTTP.`,
    );
  }
  if (!(await looks.answer([cert, key]))) return [];
  try {
    const { until, chainFault } = readCertificate({ cert, key });
    return [endFinding(until, Date.now()), chainFinding(chainFault()), modeFinding(key)];
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

function chainFinding(fault: string | undefined): Finding {
  const { good, warning } = findingsOf('chain of the certificate');
  return fault === undefined
    ? good('The certificate leads to an authority, or is its own.')
    : warning(`Clients may refuse the certificate: ${fault}.`);
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
  const { host, public_url, metrics_host, metrics_port } = settings;
  const named = { HOST: host, ...(metrics_port !== undefined && { METRICS_HOST: metrics_host }) };
  const found: Finding[] = [];
  const { origin = public_url, pathname = '/' } = URL.parse(public_url ?? '') ?? {};
  if (pathname !== '/')
    found.push(
      findingsOf('public address').warning(
        `PUBLIC_URL has the path ${pathname}, with which links for programs begin. People sign in at ${origin}/console: let the proxy pass /console on, too.`,
      ),
    );
  if (public_url === undefined && !isLoopback(host))
    found.push(
      findingsOf('public address').warning(
        `The service listens at ${host}, and PUBLIC_URL is not set: links in its answers are relative, which leads nowhere from a log or a saved document. Set PUBLIC_URL to the address that clients use, such as https://records.example.com.`,
      ),
    );
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
async function followedFolderFindings(
  { backup_to }: Settings,
  looks: Looks,
): Promise<readonly Finding[]> {
  if (backup_to === undefined) return [];
  const { good, bad } = findingsOf('backup folder');
  const named = resolve(backup_to);
  const tried = await looks.at(named, ({ write }) => write(named));
  if (tried === undefined) return [];
  const { folder, code } = tried;
  if (code === undefined) {
    const missing = folder === named ? '' : `; ${named} is not there`;
    return [good(`${folder} can be written to${missing}.`)];
  }
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const says = isFull
    ? `the disk of ${folder} is full. Make room on it.`
    : `nothing can be written to ${folder} by this user (${code}). Make the folder, and let the user that the service runs as write there.`;
  return [bad(`BACKUP_TO: ${says}`)];
}

/** Names a proxy that others on this machine use, and the service does not. */
function proxyFindings(): readonly Finding[] {
  const named = proxyVariables();
  if (named.length === 0) return [];
  const says = `${named.join(' and ')} ${named.length === 1 ? 'is' : 'are'} set, and the service uses no proxy: webhooks, images and single sign-on go out directly. Let this machine reach their addresses, or they fail.`;
  return [findingsOf('proxy').warning(says)];
}

/** Asks the provider of single sign-on who it is, as signing in does, and tries the secret of the client. */
async function providerFindings(settings: Settings, looks: Looks): Promise<readonly Finding[]> {
  const { good, bad } = findingsOf('single sign-on');
  if (!(await looks.answer([settings.oidc_secret_file]))) return [];
  const provider = readableProvider(settings);
  if (provider === undefined) return [];
  const { issuer } = provider;
  const cannot = `Nobody can sign in through ${issuer}`;
  try {
    const origin = settings.public_url ?? `http://localhost:${settings.port}`;
    const obstacles = await obstaclesAt(
      await discover(provider),
      new URL(CALLBACK, origin).href,
      Date.now,
    );
    if (obstacles.length > 0) return obstacles.map((one) => bad(`${cannot}: ${one}.`));
    const takes = provider.clientSecret === undefined ? 'the client' : 'the secret of the client';
    return [
      good(`${issuer} answers as a provider of single sign-on, and does not refuse ${takes}.`),
    ];
  } catch (error) {
    return [
      bad(
        `${cannot}: ${reasonOf(error)}. Check OIDC_ISSUER, the name service, and the way out of this machine.`,
      ),
    ];
  }
}

/** Without its secret, where that cannot be read: it is reported among the files. */
function readableProvider(settings: Settings): Provider | undefined {
  try {
    return readProvider(settings);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return undefined;
  }
}

/** Folders that killed commands have left; a folder for temporary files that nobody can use does not end the checks. */
async function temporaryFindings(_: Settings, looks: Looks): Promise<readonly Finding[]> {
  const { warning, bad } = findingsOf('temporary files');
  let left: readonly string[];
  try {
    left = (await looks.at(tmpdir(), (disk) => disk.left())) ?? [];
  } catch (error) {
    const fault = temporaryFault(error);
    if (fault === undefined) throw error;
    return [bad(`${fault}.`)];
  }
  const [first] = left;
  if (first === undefined) return [];
  const more = left.length > 1 ? ` and ${left.length - 1} more like it` : '';
  const says = `${first}${more} was left by a command or a service that was killed, and may hold records. The service removes it when it starts; or remove it by hand.`;
  return [warning(says)];
}
