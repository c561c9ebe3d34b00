/** Errors of uploads, as entries of the catalogue. */
import { missing, unavailable } from '../../core/errors/entry.ts';

export const errors = {
  upload_gone: missing(
    'There is no upload {upload}: uploads go after an hour. Send the file again.',
    'An upload is seen by the key or the person that sent it. It also goes when someone of its account is erased.',
    { upload: 'upl_036Vq1rXbU9kTqPpLw3aZc' },
  ),
  files_no_room: unavailable(
    'The service has no room for files: its folder for temporary files (TMPDIR) is full or cannot be written to. Tell the operator, and import the file again later: rows that are imported by then are left unchanged.',
    'The operator frees room in the folder of `TMPDIR`, or names another one there. Importing the file again is safe.',
  ),
  uploads_full: unavailable(
    'The service has no room for more files at the moment. Nothing was stored; send the file again in a few minutes.',
    'Uploads go after an hour, and when their senders delete them. Retry after the seconds in `Retry-After`.',
  ),
} as const;
