/** Verifies notifications as Standard Webhooks describes. */
import type { WebhookNotification } from './generated/notifications.d.ts';
import { parseJson } from './json.ts';
import { isKind } from './said.ts';

/** The notification cannot be trusted; the message says why. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/** `Headers`, Node's `request.headers`, or any object of them, in any case, with texts or lists of them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

export interface VerifyOptions {
  /** How many seconds old a notification may be; 300 by default. */
  readonly tolerance?: number | undefined;
  /** The clock, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

const TOLERANCE_SECONDS = 300;
const PREFIX = /^whsec_/;

/**
 * Gives the notification if it was signed with the secret and is recent; throws `WebhookVerificationError` otherwise.
 * `body` is the body as it arrived, as text or bytes: parsing it and writing it again would change it.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: string | ArrayBuffer | ArrayBufferView,
  secret: string,
  { tolerance = TOLERANCE_SECONDS, now = Date.now }: VerifyOptions = {},
): Promise<WebhookNotification> {
  // A program that begins without its secret would otherwise look as if all were forged.
  const own = bytesOf(
    String(secret ?? '')
      .trim()
      .replace(PREFIX, ''),
  );
  if (own.length === 0) {
    throw new WebhookVerificationError(
      'The secret is empty or no secret of an endpoint: those begin with whsec_, and are shown once, when the endpoint is made.',
    );
  }
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  const seconds = Number(timestamp);
  if (!Number.isInteger(seconds) || Math.abs(now() / 1000 - seconds) > tolerance) {
    throw new WebhookVerificationError(
      'The notification is too old, or its webhook-timestamp is wrong.',
    );
  }
  const text = textOf(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const key = await crypto.subtle.importKey('raw', own, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  for (const one of signatures.split(' ')) {
    const [version, signature = ''] = one.split(',', 2);
    // `verify` takes as long whatever the signature is.
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytesOf(signature), signed))) {
      return parseJson(text) as WebhookNotification;
    }
  }
  throw new WebhookVerificationError(
    'The notification was not signed with this secret, or its body was changed on the way.',
  );
}

/** The bytes that were signed are those of the text, with a mark of the order of bytes, if there is one. */
function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body) || isKind(body, 'ArrayBuffer'))
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body as ArrayBuffer);
  const what = body === undefined || body === null ? 'missing' : 'parsed, or no text and no bytes';
  throw new WebhookVerificationError(
    `The body is ${what}: pass it as it arrived, before a framework parses it, such as by express.raw({ type: 'application/json' }) or await request.text().`,
  );
}

/** Names have no case (RFC 9110, section 5.1), and some gateways give lists. */
function headerOf(headers: WebhookHeaders, name: string): string {
  const { get } = headers as { readonly get?: unknown };
  const value =
    typeof get === 'function'
      ? get.call(headers, name)
      : Object.entries(headers).find(
          ([one, value]) => one.toLowerCase() === name && value !== undefined,
        )?.[1];
  const text = Array.isArray(value) ? value.join(' ') : value;
  if (typeof text === 'string' && text !== '') return text;
  throw new WebhookVerificationError(`The notification has no header ${name}.`);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
