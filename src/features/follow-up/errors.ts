/** Errors of follow-ups, as entries of the catalogue. */
import { conflict } from '../../core/errors/entry.ts';

export const errors = {
  follow_up_claimed: conflict(
    'Somebody else has claimed this follow-up.',
    'The message names who. Ask them to release it, or wait: a claim ends after 24 hours in which nothing is done.',
  ),
  follow_up_closed: conflict(
    'The follow-up is closed.',
    'Reopen it first, with the reason, or leave it as it is.',
  ),
  follow_up_open: conflict(
    'The follow-up is not closed.',
    'Only a closed one can be reopened. A record has one open follow-up at most: the message names it.',
  ),
  attempts_too_many: conflict(
    'The follow-up has 50 attempts.',
    'Close it with its outcome. It can be reopened later.',
  ),
  do_not_contact: conflict(
    'Nobody is to contact this person.',
    'Somebody said so. `GET /v1/do_not_contact?record=` says who and when. Lift that entry, with the reason, or reopen the follow-up that was closed so.',
  ),
} as const;
