/** Errors of retention rules, as entries of the catalogue. */
import { conflict } from '../../core/errors/entry.ts';

export const errors = {
  preview_missing: conflict(
    'The rule has no preview of the last day.',
    'Ask for a preview with `POST /v1/retention_rules/{unique_identifier}/preview`, wait until its `status` is `ready`, and look at what would go.',
  ),
  retention_rules_too_many: conflict(
    'The account has 100 retention rules.',
    'Delete those that have served their purpose.',
  ),
} as const;
