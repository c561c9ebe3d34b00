/** Reads a certificate and its private key from their files, and reports what is wrong with them. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { readNamed, SettingsError } from '../settings-error.ts';

/** PEM files. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

export interface Certificate {
  readonly context: SecureContext;
  /** When it ends, in milliseconds since 1970. */
  readonly until: number;
}

/** Throws `SettingsError` unless both can be read and belong together. */
export function readCertificate(files: CertificateFiles): Certificate {
  const cert = readNamed('TLS_CERT', files.cert);
  const key = readNamed('TLS_KEY', files.key);
  const parsed = attempt(
    () => new X509Certificate(cert),
    `TLS_CERT: ${files.cert} holds no certificate in PEM, which begins with -----BEGIN CERTIFICATE-----.`,
  );
  const privateKey = attempt(
    () => createPrivateKey(key),
    /ENCRYPTED/.test(key)
      ? `TLS_KEY: the key in ${files.key} has a passphrase: remove it with "openssl pkey -in FILE -out FILE", and keep the result readable by this user alone.`
      : `TLS_KEY: ${files.key} holds no private key in PEM, which begins with -----BEGIN PRIVATE KEY-----.`,
  );
  if (!parsed.checkPrivateKey(privateKey))
    throw new SettingsError(
      `TLS_KEY: ${files.key} is not the key of the certificate in ${files.cert}: name the two files that were made together.`,
    );
  const context = attempt(
    () => createSecureContext({ cert, key, minVersion: 'TLSv1.2' }),
    (error) =>
      `TLS_CERT: the certificate in ${files.cert} cannot be served with: ${reasonOf(error)}.`,
  );
  return { context, until: Date.parse(parsed.validTo) };
}

function attempt<T>(work: () => T, complaint: string | ((error: unknown) => string)): T {
  try {
    return work();
  } catch (error) {
    const message = typeof complaint === 'string' ? complaint : complaint(error);
    throw new SettingsError(message, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  return String((error as { reason?: unknown }).reason ?? (error as Error).message);
}

const UNTRUSTED = /^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_UNTRUSTED)/;

/** Says why the certificate of another server is not trusted, and how it is; `undefined` for other errors. */
export function untrustedFault({ code = '', message }: NodeJS.ErrnoException): string | undefined {
  if (!UNTRUSTED.test(code)) return undefined;
  // Node goes on with an option of its own, which nobody can give.
  const why = message.replace(/; if .*/s, '');
  return `${why}; name the file of its authority in NODE_EXTRA_CA_CERTS, or set NODE_USE_SYSTEM_CA=1`;
}
