/** An API key, as it is told: without its secret, but for the first time. */
export interface Key {
  readonly unique_identifier: string;
  readonly name: string | null;
  readonly ending: string;
  readonly locations: readonly string[] | null;
  readonly permissions: readonly string[];
  readonly resources: readonly string[] | null;
  readonly from: readonly string[] | null;
  readonly requests_a_second: number | null;
  readonly requests_at_once: number | null;
  readonly expires_at: string | null;
  readonly status: string;
  readonly last_used_at: string | null;
  readonly secret?: string;
}
