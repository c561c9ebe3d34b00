/** Sends one notification, and tells what came of it. */
import type { Outbound } from '../../outbound/outbound.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import type { WebhookEndpoint } from '../../store/webhooks.ts';
import { signedHeaders } from '../signature.ts';
import { retryAfterMs } from './schedule.ts';
import { Turns } from './turns.ts';

/** A try may take so long, name, connection and answer together. */
export const TRY_MS = 15_000;
/** Nobody reads what an endpoint answers: of a short answer the connection stays. */
const ANSWER_BYTES = 16_384;

export interface Notification {
  /** Alike each time it is sent. */
  readonly id: string;
  readonly body: string;
}

export interface Attempt {
  readonly is: 'delivered' | 'failed' | 'gone';
  readonly status_code: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
  /** How long the endpoint asks to be left alone; 0 where it does not. */
  readonly retryAfterMs: number;
}

export interface Sender {
  /** Never throws for what the other side does. */
  send(
    endpoint: WebhookEndpoint,
    notification: Notification,
    signal?: AbortSignal,
  ): Promise<Attempt>;
}

export function createSender(outbound: Outbound, sealer: Sealer, now: () => number): Sender {
  const turns = new Turns();
  return {
    send: (endpoint, { id, body }, signal) =>
      turns.run(endpoint.account, signal, async () => {
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
