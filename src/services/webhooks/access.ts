/** Which endpoints a key may see and change. */
import { ApiError } from '../../core/errors.ts';
import type { WebhookEndpoint } from '../../core/objects/webhook-endpoint.ts';
import {
  authorizeAction,
  authorizeNamedRight,
  type Principal,
} from '../../records/auth/principal.ts';
import { noSuch } from '../../store/promises/refusals.ts';

/** The right of keys, by its name, to make webhook endpoints and to change them. */
export const RIGHT = 'webhooks';

/** Throws `permission_denied` unless the key may have webhooks. */
export function authorizeWebhooks(principal: Principal): void {
  authorizeNamedRight(principal, RIGHT);
  authorizeAction(principal, 'read');
}

/** A key that is limited to locations or resources has its own endpoints alone: others may show more than it sees. */
export function mayHave(
  { key, scope, resources }: Principal,
  endpoint: Pick<WebhookEndpoint, 'account' | 'key'>,
): boolean {
  const isWhole = scope.anchors === undefined && resources === undefined;
  return scope.accounts.has(endpoint.account) && (isWhole || endpoint.key === key);
}

export function endpointMissing(): ApiError {
  return new ApiError('resource_missing', { message: noSuch('webhook_endpoint') });
}
