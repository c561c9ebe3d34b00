/** Settings of services that have a secret key; its file goes with this process. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './at-end.ts';

/** Writes a new secret key, and gives the path of its file. */
export function secretKeyFile(): string {
  // That of a store that stays.
  if (process.env.TEST_SECRET_KEY_FILE !== undefined) return process.env.TEST_SECRET_KEY_FILE;
  const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-key-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'secret.key');
  writeFileSync(path, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  return path;
}

/** A service with a new secret key, which may send to this machine. */
export function keyed() {
  return { secret_key_file: secretKeyFile(), webhook_allow: '127.0.0.0/8' };
}
