/** Errors of retention rules, as entries of the catalogue. */
import { invalid } from '../../core/errors/invalid.ts';

export const errors = {
  preview_missing: invalid(
    'The rule has no preview of the last day.',
    'Ask for a preview with `POST /v1/retention_rules/{unique_identifier}/preview`, wait until its `status` is `ready`, and look at what would go.',
    409,
  ),
  retention_rules_too_many: invalid(
    'The account has 100 retention rules.',
    'Delete those that have served their purpose.',
    409,
  ),
} as const;
