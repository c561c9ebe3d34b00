/** Reads a certificate and its private key from their files, and reports what is wrong with them. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext, type SecureContext } from 'node:tls';
import { CertificateUnusable } from './certificate-unusable.ts';

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

/** A file that is larger is none of these. */
const MAX_BYTES = 1_048_576;

/** Throws `CertificateUnusable` unless both can be read and belong together. */
export function readCertificate(files: CertificateFiles): Certificate {
  const cert = read(files.cert, 'TLS_CERT');
  const key = read(files.key, 'TLS_KEY');
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
    throw new CertificateUnusable(
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
    throw new CertificateUnusable(message, { cause: error });
  }
}

function read(file: string, setting: string): string {
  try {
    const stat = statSync(file);
    if (!stat.isFile() || stat.size > MAX_BYTES)
      throw new CertificateUnusable(`${setting}: ${file} is not a PEM file.`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof CertificateUnusable) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new CertificateUnusable(
      code === 'ENOENT'
        ? `${setting}: there is no file ${file}.`
        : `${setting}: ${file} cannot be read by the user that the service runs as (${code}).`,
      { cause: error },
    );
  }
}

function reasonOf(error: unknown): string {
  return String((error as { reason?: unknown }).reason ?? (error as Error).message);
}
