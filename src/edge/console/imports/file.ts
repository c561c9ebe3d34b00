/** An uploaded file, for the duration of a request: on disk, since it is read more than once. */
import { writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { ApiError } from '../../../core/errors.ts';
import { temporaryFolder } from '../../../core/temporary.ts';
import { isNoRoom } from '../../../services/transfer/refused.ts';
import { RETRY_AFTER } from '../../response/retry-after.ts';

/** Stores it in a folder of its own, readable by this process alone, and removed when `work` has ended. Throws `service_unavailable` where the disk has no room for it, or for what `work` makes next to it. */
export async function withFile<T>(
  name: string,
  bytes: Uint8Array,
  work: (path: string) => Promise<T>,
): Promise<T> {
  try {
    using folder = temporaryFolder('import');
    // Its name is the caller's, and only its ending says anything.
    const ending = /^\.[A-Za-z0-9]{1,8}$/.exec(extname(name))?.[0] ?? '';
    const path = join(folder.path, `file${ending}`);
    await writeFile(path, bytes, { mode: 0o600 });
    return await work(path);
  } catch (cause) {
    if (!isNoRoom(cause)) throw cause;
    throw new ApiError('service_unavailable', {
      cause,
      headers: { 'Retry-After': RETRY_AFTER },
      message:
        'The service has no room for files: its folder for temporary files (TMPDIR) is full or cannot be written to. Tell the operator, and import the file again later: rows that are imported by then are left unchanged.',
    });
  }
}
