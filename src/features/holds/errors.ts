/** Errors of holds, as entries of the catalogue. */
import { conflict } from '../../core/errors/entry.ts';

export const errors = {
  holds_too_many: conflict(
    'The account has 1,000 holds that are not released.',
    'Release those that have served their purpose, or place one on what several records belong to.',
  ),
} as const;
