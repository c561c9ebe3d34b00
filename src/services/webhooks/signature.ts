/** Signatures of Standard Webhooks (https://www.standardwebhooks.com). */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret, as it is shown. */
export function createWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export interface Signed {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** The headers of a notification, signed with each of the secrets. */
export function signedHeaders(
  secrets: readonly string[],
  { id, timestamp, body }: Signed,
): Readonly<Record<string, string>> {
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
