/** Deprecated parts of `/v1`: announced in responses and in OpenAPI, and counted by key. See docs/versioning.md for periods. */

export interface Deprecation {
  /** As OpenAPI has it, such as `GET /v1/events/{unique_identifier}`. */
  readonly operation: string;
  /** Only this parameter of the query; left out: the whole operation. */
  readonly parameter?: string;
  /** The day from which it is deprecated, such as `2027-01-31`. */
  readonly since: string;
  /** The day from which it may be gone: at least twelve months later. */
  readonly sunset: string;
}

export const deprecations: readonly Deprecation[] = [];
