/** Why a disk failed, in words. */

const FAILURES = new Map([
  ['ENOENT', 'its folder is not there'],
  ['ENOTDIR', 'its folder is not there'],
  ['EACCES', 'this user may not write there'],
  ['EPERM', 'this user may not write there'],
  ['EROFS', 'the disk is read-only'],
  ['ENOSPC', 'the disk is full, or takes no more files'],
  ['EDQUOT', 'the disk is full'],
  ['EIO', 'the disk gave an error'],
  ['EEXIST', 'there is a file of that name'],
  ['EISDIR', 'a folder has its name'],
  ['ESTALE', 'its disk is gone'],
  ['ENOTCONN', 'its disk is gone'],
  ['ENODEV', 'its disk is gone'],
  ['ETIMEDOUT', 'its disk does not answer'],
]);

/** `undefined` for other errors. */
export function diskFailure(error: unknown): string | undefined {
  return FAILURES.get(codeOf(error));
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
