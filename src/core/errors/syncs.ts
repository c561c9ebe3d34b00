/** Errors of syncs, as entries of the catalogue. */

const refused = (message: string, hint: string) =>
  ({ type: 'invalid_request_error', status: 409, message, hint }) as const;

export const syncErrors = {
  row_repeated: refused(
    'An earlier row of the same sync or request names this record and says something else. The first one counts.',
    'Send each record once: join its rows into one. To send a later state of it, use a request of its own, without the sync.',
  ),
  sync_ended: refused(
    'This sync takes nothing more.',
    'It is finished, undone, replaced by another one of the same source, resource and place, older than 24 hours, or from before a backup was restored. Begin another one, and send everything with that.',
  ),
  sync_mismatch: refused(
    'The sync is of another source, resource or place.',
    'Nothing was saved. A sync takes records of one resource, at the place that it was begun for, from the source that began it.',
  ),
  sync_removes_too_much: refused(
    'More records would be removed than at_most allows for.',
    'Nothing was removed. Look with `dry_run` at what would go. If that is right, finish the sync again with a larger `at_most`.',
  ),
};
