// Generated from client/src/verify-webhook.ts by "npm run generate"; do not edit.

/** Verifies notifications as Standard Webhooks describes. */
import type { WebhookNotification } from './generated/notifications.d.ts';
/** The notification cannot be trusted; the message says why. */
export declare class WebhookVerificationError extends Error {
    readonly name = "WebhookVerificationError";
}
/** `Headers`, Node's `request.headers`, or any object of them, in any case, with texts or lists of them. */
export type WebhookHeaders = {
    get(name: string): string | null;
} | {
    readonly [name: string]: string | readonly string[] | undefined;
};
export interface VerifyOptions {
    /** How many seconds old a notification may be; 300 by default. */
    readonly tolerance?: number | undefined;
    /** The clock, in milliseconds since 1970. */
    readonly now?: (() => number) | undefined;
}
/**
 * Gives the notification if it was signed with the secret and is recent; throws `WebhookVerificationError` otherwise.
 * `body` is the body as it arrived, as text or bytes: parsing it and writing it again would change it.
 */
export declare function verifyWebhook(headers: WebhookHeaders, body: string | ArrayBuffer | ArrayBufferView, secret: string, { tolerance, now }?: VerifyOptions): Promise<WebhookNotification>;
