/** What operators are told of webhooks. */
export interface WebhookNotices {
  /** An endpoint is not delivered to any longer, for that reason. */
  stopped(endpoint: string, status: string, reason: string): void;
  /** Something of ours went wrong; it is tried again. */
  failed(error: unknown): void;
  /** A try is over. */
  tried(endpoint: string, outcome: 'delivered' | 'failed'): void;
}
