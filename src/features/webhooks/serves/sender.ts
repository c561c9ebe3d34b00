/** Sends one notification, signed with the secrets of its endpoint; and says which secrets the service's key does not open. */
import { createHmac, randomBytes } from 'node:crypto';
import { FairSlots } from '../../../core/fair/slots.ts';
import type { Outbound } from '../../../core/outbound/outbound.ts';
import { OutboundError } from '../../../core/outbound/outbound-error.ts';
import type { Sealer } from '../../../core/sealing/sealer.ts';
import { SettingsError } from '../../../core/settings-error.ts';
import type { ServeParts } from '../../../services/served.ts';
import type { WebhookEndpoint } from '../declares.ts';
import { retryAfterMs } from './state.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const MAX_NAMED = 5;

/** After this long a try moves to a slot for slow tries, if one is free, and leaves its own to another. */
const SLOW_MS = 1_000;

/** How long a try may take: name, connection and answer together. */
export const TRY_MS = 15_000;
/** Responses' bodies are ignored. After a short one the connection is used again. */
const ANSWER_BYTES = 16_384;

export interface Notification {
  /** The identifier of the notification, equal in each try. */
  readonly id: string;
  readonly body: string;
}

export interface Attempt {
  /** `refused`: an answer, to this notification. `unanswered`: none, or that of a gateway before the receiver. */
  readonly is: 'delivered' | 'refused' | 'unanswered' | 'gone';
  readonly status_code: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
  /** The pause that the endpoint requests; 0 if it does not. */
  readonly retryAfterMs: number;
  /** Whether that pause speaks for more than this notification. */
  readonly isForAll: boolean;
}

export type Sender = ReturnType<typeof createSender>;

export function createSender(
  outbound: Outbound,
  sealer: Sealer,
  { now, machine = now }: Pick<ServeParts, 'now' | 'machine'>,
) {
  const inSlot = createSendingSlots();
  return {
    /**
     * Never throws because of the endpoint. `isOurs` is asked when there is room to send: it throws where this endpoint is
     * another one by now, or of another process.
     */
    send: (
      endpoint: WebhookEndpoint,
      { id, body }: Notification,
      {
        signal,
        isOurs,
      }: { readonly signal?: AbortSignal; readonly isOurs?: () => Promise<void> } = {},
    ) =>
      inSlot(endpoint.account, async (): Promise<Attempt> => {
        await isOurs?.();
        const began = performance.now();
        const secrets = endpoint.secrets
          .filter(({ until }) => until === null || until > now())
          .map(({ sealed }) => sealer.open(sealed, endpoint.unique_identifier));
        const timestamp = Math.floor(machine() / 1000);
        const duration = () => Math.round(performance.now() - began);
        try {
          const { status, headers } = await outbound.send({
            url: endpoint.settings.url,
            use: 'webhook',
            group: endpoint.account,
            method: 'POST',
            headers: signedHeaders(secrets, id, timestamp, body),
            body,
            ms: TRY_MS,
            bytes: ANSWER_BYTES,
            ...(signal && { signal }),
          });
          const isDone = status >= 200 && status < 300;
          return {
            is: isDone ? 'delivered' : failureOf(status),
            status_code: status,
            error: isDone ? null : `The endpoint answered ${status}.`,
            duration_ms: duration(),
            retryAfterMs: isDone ? 0 : retryAfterMs(headers['retry-after'], machine()),
            isForAll: OF_ALL.includes(status),
          };
        } catch (error) {
          if (!(error instanceof OutboundError)) throw error;
          return {
            is: 'unanswered',
            status_code: null,
            error: error.isRefusal ? `The URL ${error.message}.` : error.message,
            duration_ms: duration(),
            retryAfterMs: 0,
            isForAll: false,
          };
        }
      }),
  };
}

/** Statuses that gateways answer with where they do not reach the receiver: bad gateway, unavailable, timeout. */
const OF_GATEWAYS: readonly number[] = [502, 503, 504];

/** Statuses whose `Retry-After` is about the receiver, and not about what it was sent: too many requests, unavailable. */
const OF_ALL: readonly number[] = [429, 503];

function failureOf(status: number): Attempt['is'] {
  if (status === 410) return 'gone';
  return OF_GATEWAYS.includes(status) ? 'unanswered' : 'refused';
}

/** A new secret, as it is shown. */
export function createWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

function signedHeaders(secrets: readonly string[], id: string, timestamp: number, body: string) {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    const text = `${id}.${timestamp}.${body}`;
    return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
  });
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}

/** Makes a function that does work in a slot: many tries at once, of which slow ones do not delay the others. */
function createSendingSlots() {
  // One account gets fewer than all, so that some are left to others, however slow its endpoints are.
  const fresh = new FairSlots({ slots: 64, ofGroup: 48 });
  const slow = new FairSlots({ slots: 512, ofGroup: 128 });
  return async <T>(account: string, work: () => Promise<T>): Promise<T> => {
    let release = await fresh.acquire(account);
    const timer = setTimeout(() => {
      const free = slow.tryAcquire(account);
      if (free === undefined) return;
      release();
      release = free;
    }, SLOW_MS);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      release();
    }
  };
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
    if (error instanceof SettingsError) return false;
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
