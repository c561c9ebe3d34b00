/** Log entries and metrics of webhooks. */
export interface WebhookNotices {
  /** Delivery to an endpoint has ended, for that reason. */
  stopped(endpoint: string, status: string, reason: string): void;
  /** Something failed here; it is retried. */
  failed(error: unknown): void;
  /** A try is over. */
  tried(endpoint: string, outcome: 'delivered' | 'failed'): void;
}
