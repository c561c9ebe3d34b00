/** What `doctor` sees of the machine and of the certificate. */
import { statSync } from 'node:fs';
import about from '../../package.json' with { type: 'json' };
import type { Settings } from '../config.ts';
import { readCertificate } from '../network/certificate.ts';
import { CertificateUnusable } from '../network/certificate-unusable.ts';
import { isLoopback } from '../network/loopback.ts';
import type { Finding } from '../observe/finding.ts';
import { isoDate } from './time.ts';

const DAY_MS = 86_400_000;
const MIB = 1_048_576;
/** An ACME client renews 30 days before the end: what is left later than that was not renewed. */
const SOON_MS = 21 * DAY_MS;
const MIN_MEMORY = 512 * MIB;

export function runtimeFinding(): Finding {
  const check = 'runtime';
  const { version, versions } = process;
  const says = `Ledgerstone ${about.version} on Node ${version.slice(1)} with SQLite ${versions.sqlite}`;
  const [pinned] = Object.values(about.optionalDependencies);
  if (version !== `v${pinned}`) {
    return {
      check,
      state: 'warning',
      says: `${says}; it is tested on Node ${pinned}. Run "npm ci --omit=dev" in its folder to install that version.`,
    };
  }
  const memory = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  if (memory < MIN_MEMORY) {
    return {
      check,
      state: 'warning',
      says: `${says}; it is limited to ${Math.round(memory / MIB)} MiB of memory. Give it at least 512 MiB.`,
    };
  }
  return { check, state: 'good', says: `${says}.` };
}

export function certificateFindings(
  settings: Pick<Settings, 'tls_cert' | 'tls_key' | 'host' | 'plain_http'>,
  now = Date.now(),
): readonly Finding[] {
  const { tls_cert: cert, tls_key: key, host, plain_http } = settings;
  const check = 'certificate';
  if (cert === undefined || key === undefined) {
    if (isLoopback(host) || plain_http) return [];
    return [
      {
        check,
        state: 'warning',
        says: `Plain HTTP at ${host}: keys and records travel unencrypted. Set TLS_CERT and TLS_KEY, or put a TLS proxy in front and set PLAIN_HTTP.`,
      },
    ];
  }
  try {
    return [endFinding(readCertificate({ cert, key }).until, now), modeFinding(key)];
  } catch (error) {
    if (!(error instanceof CertificateUnusable)) throw error;
    return [{ check, state: 'bad', says: error.message }];
  }
}

function endFinding(until: number, now: number): Finding {
  const check = 'certificate';
  if (until <= now) {
    return {
      check,
      state: 'bad',
      says: `The certificate expired on ${isoDate(until)}, and clients refuse it. Renew it now.`,
    };
  }
  return until - now < SOON_MS
    ? {
        check,
        state: 'warning',
        says: `The certificate expires on ${isoDate(until)}. Renew it, and find out why it was not renewed earlier.`,
      }
    : { check, state: 'good', says: `The certificate is valid until ${isoDate(until)}.` };
}

function modeFinding(key: string): Finding {
  return (statSync(key).mode & 0o007) === 0
    ? {
        check: 'private key',
        state: 'good',
        says: 'Only its owner and group can use the private key.',
      }
    : {
        check: 'private key',
        state: 'bad',
        says: `Everybody on this machine can use ${key}. Run "chmod o= ${JSON.stringify(key)}", and renew the certificate with a new key if others use this machine.`,
      };
}
