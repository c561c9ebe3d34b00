/** Why rows of a sync are refused, or a sync takes nothing or is not finished, as entries of the catalogue. */
import { conflict } from './entry.ts';

export const syncErrors = {
  row_repeated: conflict(
    'An earlier row of the same sync or request names this record and says something else. The first one counts: join its rows into one, or send the later state in a request of its own.',
    'Send each record once. The later state goes without the sync.',
  ),
  sync_ended: conflict(
    'This sync takes nothing more.',
    'It is finished, undone, replaced by another one of the same source, resource and place, older than 24 hours, or from before a backup was restored. Begin another one, and send everything with that.',
  ),
  sync_mismatch: conflict(
    {
      message: 'The sync is of another source, resource or place.',
      person: 'The sync is of another system, kind of record or place. Nothing was saved.',
    },
    'Nothing was saved. A sync takes records of one resource, at the place that it was begun for, from the source that began it.',
  ),
  sync_in_doubt: conflict(
    'Not all that was sent with this sync was taken, so nobody knows what is gone.',
    'Nothing was removed. `errors` names the requests and rows. Send them again, corrected, with the header `Ledgerstone-Instead-Of: req_…`, or the same request with the same `Idempotency-Key`. Or finish it with `despite[]=req_…` for each request that may be left out, or with `despite=all`. A sync that nothing was sent with is finished by `at_most=100%` alone.',
  ),
  sync_removes_too_much: conflict(
    'More records would be removed than at_most allows for.',
    'Nothing was removed. Look with `dry_run` at what would go. If that is right, finish the sync again with a larger `at_most`.',
  ),
};
