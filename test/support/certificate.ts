/** Certificates for tests, signed with their own key or another: just enough of X.509, so that no program is needed to make them. */
import {
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = '06082a8648ce3d040302';
const COMMON_NAME = '0603550403';
const SUBJECT_ALTERNATIVE_NAME = '0603551d11';

export interface MadeCertificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

/** A certificate for localhost and 127.0.0.1, issued by whoever has that name and key, or by itself. */
export function makeCertificate(
  name = 'localhost',
  days = 30,
  issuer?: { readonly name: string; readonly key: string },
): MadeCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = sequence(hex(ECDSA_WITH_SHA256));
  const named = (name: string) =>
    sequence(der(0x31, sequence(hex(COMMON_NAME), der(0x0c, Buffer.from(name)))));
  const now = Date.now();
  const names = sequence(
    der(0x82, Buffer.from('localhost')),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    named(issuer?.name ?? name),
    sequence(utcTime(now - DAY_MS * 60), utcTime(now + days * DAY_MS)),
    named(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(hex(SUBJECT_ALTERNATIVE_NAME), der(0x04, names)))),
  );
  const signature = sign('sha256', body, issuer ? createPrivateKey(issuer.key) : privateKey);
  const whole = sequence(body, algorithm, der(0x03, Buffer.from([0]), signature));
  return { cert: pem('CERTIFICATE', whole), key: pemKey(privateKey) };
}

/** Writes both files into a folder, or writes them over; gives their paths. */
export function writeCertificate(folder: string, { cert, key }: MadeCertificate) {
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key, { mode: 0o600 });
  return files;
}

function pemKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  const size = length < 128 ? [length] : long;
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(0x30, ...parts);
}

function integer(bytes: Uint8Array): Buffer {
  return der(0x02, bytes);
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}

function utcTime(time: number): Buffer {
  const digits = new Date(time).toISOString().replace(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}
