/** The files that settings name: `serve` starts only if all can be used, and `doctor` says which cannot. */
import { dirname, resolve } from 'node:path';
import { requireAnswers } from '../core/aside/named-files.ts';
import type { Settings } from '../core/config.ts';
import { readCertificate } from '../core/network/certificate.ts';
import type { Finding } from '../core/observe/finding.ts';
import { readSealer, type Sealer } from '../core/sealing/sealer.ts';
import { readNamed, SettingsError } from '../core/settings-error.ts';
import type { Provider } from '../services/staff/provider.ts';
import { fileOf } from '../store/open.ts';

/** The files of some settings, which are read together. */
export interface Named {
  readonly check: string;
  readonly names: readonly (typeof NAMING)[number][];
  readonly good: string;
  /** `undefined`: the settings name none. Throws if it is unusable. */
  read(settings: Settings): unknown;
}

const NAMING = ['tls_cert', 'tls_key', 'secret_key_file', 'oidc_secret_file'] as const;

export const namedFiles: readonly Named[] = [
  {
    check: 'certificate files',
    names: ['tls_cert', 'tls_key'],
    good: 'The certificate and its private key belong together.',
    read: ({ tls_cert: cert, tls_key: key }) =>
      cert === undefined || key === undefined ? undefined : readCertificate({ cert, key }),
  },
  {
    check: 'secret key',
    names: ['secret_key_file'],
    good: 'The key in SECRET_KEY_FILE can be read.',
    read: readSealerOf,
  },
  {
    check: 'single sign-on secret',
    names: ['oidc_secret_file'],
    good: 'The secret in OIDC_SECRET_FILE can be read.',
    read: (settings) => readProvider(settings)?.clientSecret,
  },
];

/** `undefined`: the settings name none. */
export function namedFinding(
  { check, good, read }: Named,
  settings: Settings,
): Finding | undefined {
  try {
    return read(settings) === undefined ? undefined : { check, state: 'good', says: good };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { check, state: 'bad', says: error.message };
  }
}

/** Throws one `SettingsError` for all files that cannot be used, or for the first whose disk does not answer. */
export async function requireFiles(settings: Settings): Promise<void> {
  const store = fileOf(settings.database_url);
  await requireAnswers(
    NAMING.flatMap((name) => {
      const path = settings[name];
      // Without the disk of the store there is nothing to wait for.
      const isBeside = path && store && dirname(resolve(path)) === dirname(resolve(store));
      return path === undefined || isBeside ? [] : [{ setting: name.toUpperCase(), path }];
    }),
  );
  const bad = namedFiles.flatMap((one) => {
    const finding = namedFinding(one, settings);
    return finding?.state === 'bad' ? finding.says : [];
  });
  if (bad.length > 0) throw new SettingsError(bad.join('\n'));
}

/** The key that encrypts secrets in the store, if any. */
export function readSealerOf({
  secret_key_file: file,
}: Pick<Settings, 'secret_key_file'>): Sealer | undefined {
  return file === undefined ? undefined : readSealer(file);
}

/** The provider of single sign-on, if any. Throws `SettingsError` if its secret cannot be read. */
export function readProvider(settings: Settings): Provider | undefined {
  const { oidc_issuer, oidc_client_id, oidc_secret_file, oidc_name } = settings;
  if (oidc_issuer === undefined || oidc_client_id === undefined) return undefined;
  return {
    issuer: oidc_issuer,
    clientId: oidc_client_id,
    clientSecret: oidc_secret_file === undefined ? undefined : readSecret(oidc_secret_file),
    name: oidc_name ?? oidc_issuer,
  };
}

function readSecret(path: string): string {
  const how = 'write the secret that the provider gave you into it';
  const secret = readNamed('OIDC_SECRET_FILE', path, how).trim();
  if (secret === '') throw new SettingsError(`OIDC_SECRET_FILE: ${path} is empty.`);
  return secret;
}
