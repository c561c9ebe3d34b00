/** Endpoints and deliveries, as the interface tells them. */
export interface Endpoint {
  readonly unique_identifier: string;
  readonly url: string;
  readonly description: string | null;
  readonly notifications: readonly string[];
  readonly deliver: 'changes' | 'signal';
  readonly status: 'enabled' | 'paused' | 'failing' | 'disabled';
  readonly disabled_reason: string | null;
  readonly failing_since: string | null;
  readonly secret?: string;
}

export interface Delivery {
  readonly unique_identifier: string;
  readonly change: string | null;
  readonly type: string;
  readonly record: string | null;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly status_code: number | null;
  readonly error: string | null;
  readonly duration_ms: number | null;
  readonly next_attempt_at: string | null;
  readonly updated_at: string;
}

export const PATH = '/v1/webhook_endpoints';
