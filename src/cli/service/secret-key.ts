/** The key for secrets that `ledgerstone dev` makes next to its store, if the settings have none. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Settings } from '../../core/config.ts';
import { makeSecretKey } from '../../core/sealing/sealer.ts';
import { fileOf } from '../../store/open.ts';

const THIS_MACHINE = ['127.0.0.0/8', '::1'];

type OfWebhooks = Pick<Settings, 'database_url' | 'webhook_allow' | 'secret_key_file'>;

function devKeyOf({ database_url }: OfWebhooks): string | undefined {
  const path = fileOf(database_url);
  return path === undefined ? undefined : `${path}.secret-key`;
}

/** The settings of `dev`: webhooks may reach this machine, and there is a key. */
export function withDevKey<T extends OfWebhooks>(settings: T): T {
  const path = devKeyOf(settings);
  if (settings.secret_key_file !== undefined || path === undefined) return opened(settings);
  mkdirSync(dirname(path), { recursive: true });
  makeSecretKey(path);
  return { ...opened(settings), secret_key_file: path };
}

/** The settings of a command that runs alongside a service, which may be `dev`. */
export function withKeyOfDev<T extends OfWebhooks>(settings: T): T {
  const path = devKeyOf(settings);
  if (settings.secret_key_file !== undefined || path === undefined || !existsSync(path))
    return settings;
  return { ...opened(settings), secret_key_file: path };
}

function opened<T extends OfWebhooks>(settings: T): T {
  return { ...settings, webhook_allow: [...settings.webhook_allow, ...THIS_MACHINE] };
}
