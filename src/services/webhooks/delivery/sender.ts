/** Sends one notification, and returns the outcome. */

import type { WebhookEndpoint } from '../../../core/objects/webhook-endpoint.ts';
import type { Outbound } from '../../../core/outbound/outbound.ts';
import { OutboundError } from '../../../core/outbound/outbound-error.ts';
import type { Sealer } from '../../../core/sealing/sealer.ts';
import { signedHeaders } from '../signature.ts';
import { retryAfterMs } from './schedule.ts';
import { SendingSlots } from './slots.ts';

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
  readonly is: 'delivered' | 'failed' | 'gone';
  readonly status_code: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
  /** The pause that the endpoint requests; 0 if it does not. */
  readonly retryAfterMs: number;
}

export type Sender = ReturnType<typeof createSender>;

export function createSender(outbound: Outbound, sealer: Sealer, now: () => number) {
  const slots = new SendingSlots();
  return {
    /** Never throws because of the endpoint. */
    send: (endpoint: WebhookEndpoint, { id, body }: Notification, signal?: AbortSignal) =>
      slots.run(endpoint.account, async (): Promise<Attempt> => {
        const began = performance.now();
        const secrets = endpoint.secrets
          .filter(({ until }) => until === null || until > now())
          .map(({ sealed }) => sealer.open(sealed, endpoint.unique_identifier));
        const timestamp = Math.floor(now() / 1000);
        const duration = () => Math.round(performance.now() - began);
        try {
          const { status, headers } = await outbound.send({
            url: endpoint.settings.url,
            use: 'webhook',
            group: endpoint.account,
            method: 'POST',
            headers: signedHeaders(secrets, { id, timestamp, body }),
            body,
            ms: TRY_MS,
            bytes: ANSWER_BYTES,
            ...(signal && { signal }),
          });
          const isDone = status >= 200 && status < 300;
          return {
            is: isDone ? 'delivered' : status === 410 ? 'gone' : 'failed',
            status_code: status,
            error: isDone ? null : `The endpoint answered ${status}.`,
            duration_ms: duration(),
            retryAfterMs: isDone ? 0 : retryAfterMs(headers['retry-after'], now()),
          };
        } catch (error) {
          if (!(error instanceof OutboundError)) throw error;
          return {
            is: 'failed',
            status_code: null,
            error: error.isRefusal ? `The URL ${error.message}.` : error.message,
            duration_ms: duration(),
            retryAfterMs: 0,
          };
        }
      }),
  };
}
