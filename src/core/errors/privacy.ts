/** Errors of erasing and holding records, as entries of the catalogue. */
import { conflict, gone, invalid, unavailable } from './entry.ts';

export const privacyErrors = {
  record_erased: gone(
    'This record was erased for good: at the request of a person, or for its age. Remove it from your system, too.',
    'Remove the record from your system, so that it is not sent again. Nothing that it held is stored any more, and none of it can be read or restored. In a bulk request only its row is left out, with the outcome `erased`. If it was erased by mistake, the operator can let you send it again.',
  ),
  past_retention: gone(
    'This record is past its retention: it belongs to a service that is older than the account keeps such records. Remove it from your system, too.',
    'Remove the record from your system, so that it is not sent again. A retention rule of the account removes such records, and would remove this one at once. In a bulk request only its row is left out, with the outcome `erased`.',
  ),
  matches_too_many: invalid(
    'More than 1,000 records match, or more than 50 of a resource match a name.',
    'Name the person more exactly: an erasure is about one person.',
  ),
  erasure_closed: conflict(
    'The erasure is closed.',
    'Begin another erasure if there is more to erase.',
  ),
  erasure_running: conflict(
    'The erasure is running.',
    'Wait until its `status` is no longer `running`.',
  ),
  erasures_too_many: conflict(
    'You have begun 100 erasures of the account that are neither done nor closed.',
    'Run or close some of them first.',
  ),
  erasures_exhausted: conflict(
    'You have begun 10,000 erasures of the account in the last 24 months.',
    'Name several people of one request in one erasure, or let another key or person begin it: each has its own 10,000. An erasure is kept for 24 months after it ended, since it proves what was done; the oldest make room then.',
  ),
  erasure_keyless: conflict(
    'Nothing can be erased without SECRET_KEY_FILE.',
    'Ask the operator to set `SECRET_KEY_FILE`: the key by which erased records are known when they are sent again.',
  ),
  store_set_back: unavailable(
    'The store is of an earlier time: what was erased since is erased again first. Nothing was saved; please retry.',
    'Retry after the seconds in `Retry-After`. The operator has restored the store; requests are served again once its journal of erasures is applied.',
  ),
  record_held: conflict(
    'A hold keeps this record, or one that belongs to it.',
    'Leave the record as it is: it is kept for a matter such as a claim, and can still be changed. Those who place holds can release the one that the message names.',
  ),
} as const;
