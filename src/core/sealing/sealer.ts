/** Encrypts secrets that must be read again, with a key that is not where they are stored. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readNamed, SettingsError } from '../settings-error.ts';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const PREFIX = 'v1.';
const HOW = 'make one with "head -c 32 /dev/urandom | base64"';

export type Sealer = ReturnType<typeof createSealer>;

/** By keys of 32 bytes: the first seals, and each of them opens. */
function createSealer(keys: readonly Uint8Array[]) {
  const [newest] = keys;
  if (newest === undefined) throw new TypeError('There is no key to seal with.');
  return {
    /** `of` says what the secret belongs to: it can be opened for that alone. */
    seal(secret: string, of: string): string {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, newest, iv).setAAD(Buffer.from(of));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return PREFIX + Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64');
    },
    open(sealed: string, of: string): string {
      const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64');
      for (const key of keys) {
        const text = openWith(key, bytes, of);
        if (text !== undefined) return text;
      }
      throw new SettingsError(
        'SECRET_KEY_FILE: the secrets in the store were encrypted with another key: put that key into the file again, on a line of its own after the new one.',
      );
    },
    /** Keys for another purpose, made of these; the newest first. */
    derived: (purpose: string): readonly Uint8Array[] =>
      keys.map((key) => new Uint8Array(hkdfSync('sha256', key, '', purpose, KEY_BYTES))),
  };
}

function openWith(key: Uint8Array, bytes: Buffer, of: string): string | undefined {
  try {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES));
    decipher.setAAD(Buffer.from(of));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return (
      decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') +
      decipher.final('utf8')
    );
  } catch {
    return undefined;
  }
}

/** The keys in a file, base64, one on each line; the newest first. Throws `SettingsError`. */
export function readSealer(path: string): Sealer {
  const text = readNamed('SECRET_KEY_FILE', path, HOW);
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '').map((line) => Buffer.from(line, 'base64'));
  if (keys.length === 0 || keys.some(({ length }) => length !== KEY_BYTES))
    throw new SettingsError(
      `SECRET_KEY_FILE: ${path} must hold ${KEY_BYTES} random bytes in base64 on each line; ${HOW}.`,
    );
  return createSealer(keys);
}

/** Writes a file with a new key, for its owner alone, unless it is there. */
export function makeSecretKey(path: string): void {
  try {
    const text = `${randomBytes(KEY_BYTES).toString('base64')}\n`;
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw new SettingsError(`SECRET_KEY_FILE: ${path} cannot be written.`, { cause: error });
  }
}
