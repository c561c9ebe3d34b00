/** Checks that the secrets of webhook endpoints can be read, and says what to do if not. */
import type { WebhookEndpoint } from '../../core/objects/webhook-endpoint.ts';
import type { Sealer } from '../../core/sealing/sealer.ts';
import { SecretKeyUnusable } from '../../core/sealing/secret-key-unusable.ts';
import type { WebhookBook } from '../../store/books/webhooks.ts';

const MAX_NAMED = 5;

/** Throws `SecretKeyUnusable` where an endpoint that is to be sent something needs another key. */
export async function requireSecrets(
  book: Pick<WebhookBook, 'list'>,
  sealer: Sealer | undefined,
  now: number,
): Promise<void> {
  const endpoints = await book.list();
  const fault = secretsFault(
    endpoints.filter(({ status }) => status === 'enabled' || status === 'failing'),
    sealer,
    now,
  );
  if (fault !== undefined) throw new SecretKeyUnusable(fault);
}

/** In a sentence what is wrong with the key, as far as these endpoints need it. */
export function secretsFault(
  endpoints: readonly WebhookEndpoint[],
  sealer: Sealer | undefined,
  now: number,
): string | undefined {
  const locked = endpoints.filter(({ unique_identifier, secrets }) =>
    secrets
      .filter(({ until }) => until === null || until > now)
      .some(({ sealed }) => sealer === undefined || !opens(sealer, sealed, unique_identifier)),
  );
  if (locked.length === 0) return undefined;
  return sealer === undefined
    ? `SECRET_KEY_FILE is not set, but the secrets of ${count(locked.length)} are encrypted: ${named(locked)}. Name the file with that key, or run "ledgerstone webhooks pause" for each.`
    : `The key in SECRET_KEY_FILE does not open the secrets of ${count(locked.length)}: ${named(locked)}. Put the key that they were encrypted with on a line of its own after the new one. If it is lost, run "ledgerstone webhooks rotate" for each, and give the new secrets to those who receive there.`;
}

export function opens(sealer: Sealer, sealed: string, of: string): boolean {
  try {
    sealer.open(sealed, of);
    return true;
  } catch (error) {
    if (error instanceof SecretKeyUnusable) return false;
    throw error;
  }
}

export function count(endpoints: number): string {
  return `${endpoints} webhook ${endpoints === 1 ? 'endpoint' : 'endpoints'}`;
}

export function named(endpoints: readonly WebhookEndpoint[]): string {
  const first = endpoints.slice(0, MAX_NAMED).map(({ unique_identifier }) => unique_identifier);
  const more = endpoints.length - first.length;
  return `${first.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
