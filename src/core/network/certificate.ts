/** Reads a certificate and its private key from their files, and reports what is wrong with them. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
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
  /** Says what the certificates in the file lack to lead to an authority that clients know; `undefined`: nothing. */
  readonly chainFault: () => string | undefined;
}

/** Throws `SettingsError` unless both can be read and belong together. */
export function readCertificate(files: CertificateFiles): Certificate {
  const texts = { cert: readNamed('TLS_CERT', files.cert), key: readNamed('TLS_KEY', files.key) };
  return certificateOf(files, texts);
}

/** Throws `SettingsError` unless the texts of the files belong together. */
export function certificateOf(
  files: CertificateFiles,
  { cert, key }: Readonly<Record<keyof CertificateFiles, string>>,
): Certificate {
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
  const chainFault = (): string | undefined => faultOfChain(certificatesIn(cert), files.cert);
  return { context, until: Date.parse(parsed.validTo), chainFault };
}

const PEM = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----.*?-----END (?:TRUSTED )?CERTIFICATE-----/gs;

function certificatesIn(text: string): readonly X509Certificate[] {
  return Array.from(text.matchAll(PEM), ([one]) => new X509Certificate(one));
}

/** Clients know authorities alone: each certificate between has to come with the one of the service (RFC 8446, 4.4.2). */
function faultOfChain(chain: readonly X509Certificate[], file: string): string | undefined {
  for (const [at, one] of chain.entries()) {
    const next = chain[at + 1];
    if (next !== undefined && !one.checkIssued(next))
      return `certificate ${at + 2} in ${file} is not that of who issued the one before it: put them in their order, the one of this service first`;
  }
  const last = chain.at(-1);
  if (last === undefined || last.checkIssued(last)) return undefined;
  const isKnown = rootCertificates.some((root) => last.checkIssued(new X509Certificate(root)));
  return isKnown
    ? undefined
    : `${file} does not lead to an authority that is known everywhere: the last certificate in it was issued by ${issuerOf(last)}. Put the certificates between behind it (an ACME client calls that file fullchain.pem), unless all clients trust that authority`;
}

function issuerOf({ issuer }: X509Certificate): string {
  const [, name] = /^(?:CN|O)=(.+)$/m.exec(issuer) ?? [];
  return name ?? 'somebody without a name';
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
