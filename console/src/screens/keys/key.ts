/** An API key, as it is told: without its secret, but for the first time. */
export interface Key {
  readonly unique_identifier: string;
  readonly name: string | null;
  readonly ending: string;
  readonly locations: readonly string[] | null;
  readonly permissions: readonly string[];
  readonly resources: readonly string[] | null;
  readonly status: string;
  readonly last_used_at: string | null;
  readonly secret?: string;
}
