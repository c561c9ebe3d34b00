// Generated from client/src/webhooks.ts by "npm run generate"; do not edit.

/** Where notifications of changes are sent: `api.webhook_endpoints`. */
import { List } from './list.ts';
import type { Send } from './send.ts';
import type { RequestOptions } from './settings.ts';
export interface WebhookEndpointParams {
    /** An https URL that leads to public addresses. */
    readonly url: string;
    /** Required if the key has several. */
    readonly account?: string | undefined;
    readonly description?: string | null | undefined;
    /** `event.created`, `event.*`, `*.deleted` or `*`; everything by default. */
    readonly notifications?: readonly string[] | undefined;
    /** Only changes of these locations, and of what belongs to them. */
    readonly locations?: readonly string[] | null | undefined;
    /** `changes` (the default) sends each change, `signal` only that there are some. */
    readonly deliver?: 'changes' | 'signal' | undefined;
    /** `thin` (the default) sends the change alone, `full` also the record as it is when it is sent. */
    readonly payload?: 'thin' | 'full' | undefined;
}
export interface WebhookEndpointPatch extends Partial<Omit<WebhookEndpointParams, 'account'>> {
    readonly status?: 'enabled' | 'paused' | undefined;
}
export interface WebhookEndpoint {
    readonly object: 'webhook_endpoint';
    readonly unique_identifier: string;
    readonly account: string;
    readonly url: string;
    readonly description: string | null;
    readonly notifications: readonly string[];
    readonly locations: readonly string[] | null;
    readonly deliver: 'changes' | 'signal';
    readonly payload: 'thin' | 'full';
    readonly status: 'enabled' | 'failing' | 'paused' | 'disabled';
    readonly disabled_reason: string | null;
    readonly failing_since: string | null;
    /** All changes up to this one are delivered, or listed as pending. */
    readonly position: string | null;
    readonly key: string;
    readonly inserted_at: string;
    readonly updated_at: string;
}
/** The secret that notifications are signed with. It is shown only this once. */
export interface WithWebhookSecret {
    readonly secret: string;
}
export interface WebhookDelivery {
    readonly object: 'webhook_delivery';
    readonly unique_identifier: string;
    readonly webhook_endpoint: string;
    readonly change: string;
    readonly type: string;
    readonly record: string;
    readonly status: 'pending' | 'delivered' | 'failed';
    readonly attempts: number;
    readonly status_code: number | null;
    readonly error: string | null;
    readonly duration_ms: number | null;
    readonly next_attempt_at: string | null;
    readonly inserted_at: string;
    readonly updated_at: string;
}
export interface WebhookTest {
    readonly object: 'webhook_test';
    readonly delivered: boolean;
    readonly status_code: number | null;
    readonly error: string | null;
    readonly duration_ms: number;
}
export interface WebhookDeliveriesParams {
    readonly status?: WebhookDelivery['status'] | undefined;
    readonly limit?: number | undefined;
    readonly starting_after?: string | undefined;
}
export declare class WebhookEndpoints {
    #private;
    constructor(send: Send);
    /** Sends changes to the URL from now on. Store the `secret`: it is shown only this once. */
    create(params: WebhookEndpointParams, options?: RequestOptions): Promise<WebhookEndpoint & WithWebhookSecret>;
    retrieve(unique_identifier: string, options?: RequestOptions): Promise<WebhookEndpoint>;
    /** All endpoints that the key may see, newest first. */
    list(options?: RequestOptions): Promise<readonly WebhookEndpoint[]>;
    /** Changes the members that are sent and leaves the rest as it is. `status: 'enabled'` resumes a paused or disabled endpoint. */
    patch(unique_identifier: string, params: WebhookEndpointPatch, options?: RequestOptions): Promise<WebhookEndpoint>;
    remove(unique_identifier: string, options?: RequestOptions): Promise<void>;
    /** Makes a new secret. For `expires_in` seconds, a day by default, notifications are signed with the old one, too. */
    rotateSecret(unique_identifier: string, params?: {
        readonly expires_in?: number | undefined;
    }, options?: RequestOptions): Promise<WebhookEndpoint & WithWebhookSecret>;
    /** Sends again all changes after a change or from a time on. */
    replay(unique_identifier: string, from: {
        readonly starting_after: string;
    } | {
        readonly since: string;
    }, options?: RequestOptions): Promise<WebhookEndpoint>;
    /** Sends one change of the last 30 days again, by its `unique_identifier`. */
    resend(unique_identifier: string, change: string, options?: RequestOptions): Promise<WebhookDelivery>;
    /** Sends a test notification at once, and gives the result. */
    test(unique_identifier: string, options?: RequestOptions): Promise<WebhookTest>;
    /** The deliveries of the last 30 days, newest change first. Iterate with `for await`. */
    deliveries(unique_identifier: string, params?: WebhookDeliveriesParams, options?: RequestOptions): List<WebhookDelivery>;
}
