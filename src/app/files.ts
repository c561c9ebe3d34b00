/** The files that settings name: `serve` starts only if all can be used, and `doctor` says which cannot. */
import type { Settings } from '../core/config.ts';
import { readCertificate } from '../core/network/certificate.ts';
import type { Finding } from '../core/observe/finding.ts';
import { readSealer, type Sealer } from '../core/sealing/sealer.ts';
import { readNamed, SettingsError } from '../core/settings-error.ts';
import type { Provider } from '../services/staff/provider.ts';

const FILES: readonly {
  readonly check: string;
  readonly good: string;
  /** `undefined`: the settings name none. Throws if it is unusable. */
  read(settings: Settings): unknown;
}[] = [
  {
    check: 'certificate files',
    good: 'The certificate and its private key belong together.',
    read: ({ tls_cert: cert, tls_key: key }) =>
      cert === undefined || key === undefined ? undefined : readCertificate({ cert, key }),
  },
  {
    check: 'secret key',
    good: 'The key in SECRET_KEY_FILE can be read.',
    read: readSealerOf,
  },
  {
    check: 'single sign-on secret',
    good: 'The secret in OIDC_SECRET_FILE can be read.',
    read: (settings) => readProvider(settings)?.clientSecret,
  },
];

/** One for each file that the settings name. */
export function fileFindings(settings: Settings): readonly Finding[] {
  return FILES.flatMap(({ check, good, read }): Finding[] => {
    try {
      return read(settings) === undefined ? [] : [{ check, state: 'good', says: good }];
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      return [{ check, state: 'bad', says: error.message }];
    }
  });
}

/** Throws one `SettingsError` for all files that cannot be used. */
export function requireFiles(settings: Settings): void {
  const bad = fileFindings(settings).filter(({ state }) => state === 'bad');
  if (bad.length > 0) throw new SettingsError(bad.map(({ says }) => says).join('\n'));
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
