/** Errors of webhooks, as entries of the catalogue. */
import { conflict, denied, invalid } from '../../core/errors/entry.ts';

export const errors = {
  webhook_url_refused: invalid(
    'A webhook cannot be sent to this URL.',
    'Send an `https` URL without user name and password, with port 443 or one from 1024 on, whose host name leads to public addresses only. The operator can allow private networks with `WEBHOOK_ALLOW`.',
  ),
  webhooks_unavailable: denied(
    'Webhooks are not set up on this service.',
    'Ask the operator to set `SECRET_KEY_FILE`, the key with which the secrets of webhook endpoints are encrypted. Until then, follow the changes with `GET /v1/changes`.',
  ),
  webhook_endpoints_too_many: conflict(
    'The account has as many webhook endpoints as it may have.',
    'Delete one that you no longer need, or change one of them: an account has at most 20.',
  ),
} as const;
