/** Errors of holds, as entries of the catalogue. */
import { invalid } from '../../core/errors/invalid.ts';

export const errors = {
  holds_too_many: invalid(
    'The account has 1,000 holds that are not released.',
    'Release those that have served their purpose, or place one on what several records belong to.',
    409,
  ),
} as const;
