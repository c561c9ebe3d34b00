/** Where notifications of changes are sent: `api.webhook_endpoints`. */
import { List, type Page } from './list.ts';
import type { Send } from './send.ts';
import type { RequestOptions } from './settings.ts';

export interface WebhookEndpointParams {
  /** An https URL. */
  readonly url: string;
  /** Left out where the key has only one. */
  readonly account?: string | undefined;
  readonly description?: string | null | undefined;
  /** `event.created`, `event.*`, `*.deleted` or `*`; all where left out. */
  readonly notifications?: readonly string[] | undefined;
  /** Only changes of these locations, and of what is below them. */
  readonly locations?: readonly string[] | null | undefined;
  /** Each change, or only that there are some; `changes` where left out. */
  readonly deliver?: 'changes' | 'signal' | undefined;
  /** The change alone, or the record with it; `thin` where left out. */
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
  /** The change up to which all are delivered, or listed as pending. */
  readonly position: string | null;
  readonly key: string;
  readonly inserted_at: string;
  readonly updated_at: string;
}

/** Shown once. */
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

const PATH = '/v1/webhook_endpoints';

export class WebhookEndpoints {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** From now on changes are sent to the URL. Keep the `secret`: it is shown this once. */
  create(
    params: WebhookEndpointParams,
    options?: RequestOptions,
  ): Promise<WebhookEndpoint & WithWebhookSecret> {
    return this.#post('', params, options, true) as Promise<WebhookEndpoint & WithWebhookSecret>;
  }

  retrieve(unique_identifier: string, options?: RequestOptions): Promise<WebhookEndpoint> {
    const path = one(unique_identifier);
    return this.#send({ method: 'GET', path, options }) as Promise<WebhookEndpoint>;
  }

  /** All that the key may see, the newest first. */
  async list(options?: RequestOptions): Promise<readonly WebhookEndpoint[]> {
    const page = await this.#send({ method: 'GET', path: PATH, options });
    return (page as Page<WebhookEndpoint>).data;
  }

  /** Changes what is sent, and leaves the rest as it is. */
  patch(
    unique_identifier: string,
    params: WebhookEndpointPatch,
    options?: RequestOptions,
  ): Promise<WebhookEndpoint> {
    const path = one(unique_identifier);
    const body = JSON.stringify(params);
    return this.#send({ method: 'PATCH', path, body, options }) as Promise<WebhookEndpoint>;
  }

  async remove(unique_identifier: string, options?: RequestOptions): Promise<void> {
    await this.#send({ method: 'DELETE', path: one(unique_identifier), options });
  }

  /** A new secret; until the old one ends notifications are signed with both. */
  rotateSecret(
    unique_identifier: string,
    params: { readonly expires_in?: number | undefined } = {},
    options?: RequestOptions,
  ): Promise<WebhookEndpoint & WithWebhookSecret> {
    const path = `${suffix(unique_identifier)}/rotate_secret`;
    return this.#post(path, params, options, true) as Promise<WebhookEndpoint & WithWebhookSecret>;
  }

  /** Sends all changes again that came after a change or a time. */
  replay(
    unique_identifier: string,
    from: { readonly starting_after: string } | { readonly since: string },
    options?: RequestOptions,
  ): Promise<WebhookEndpoint> {
    const path = `${suffix(unique_identifier)}/replay`;
    return this.#post(path, from, options) as Promise<WebhookEndpoint>;
  }

  /** Sends one change again. */
  resend(
    unique_identifier: string,
    change: string,
    options?: RequestOptions,
  ): Promise<WebhookDelivery> {
    const path = `${suffix(unique_identifier)}/resend`;
    return this.#post(path, { change }, options) as Promise<WebhookDelivery>;
  }

  /** Sends a notification that tells of nothing, and what came of it. */
  test(unique_identifier: string, options?: RequestOptions): Promise<WebhookTest> {
    return this.#post(`${suffix(unique_identifier)}/test`, {}, options) as Promise<WebhookTest>;
  }

  /** What became of changes, the newest first. Walk through it by `for await`. */
  deliveries(
    unique_identifier: string,
    params: WebhookDeliveriesParams = {},
    options?: RequestOptions,
  ): List<WebhookDelivery> {
    const path = `${one(unique_identifier)}/deliveries`;
    return new List((cursor) => {
      const query = { ...params, ...cursor };
      return this.#send({ method: 'GET', path, query, options }) as Promise<Page<WebhookDelivery>>;
    }, false);
  }

  #post(path: string, params: object, options?: RequestOptions, isOnce = false): Promise<unknown> {
    const body = JSON.stringify(params);
    return this.#send({ method: 'POST', path: PATH + path, body, isOnce, options });
  }
}

function one(unique_identifier: string): string {
  return PATH + suffix(unique_identifier);
}

function suffix(unique_identifier: string): string {
  if (unique_identifier === '') throw new TypeError('A unique_identifier is needed.');
  return `/${encodeURIComponent(unique_identifier)}`;
}
