/** Standard input as a file that is imported: saved on disk meanwhile, since a file is read more than once. */
import { createWriteStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { temporaryFolder } from '../../core/temporary.ts';
import { isNoRoom } from '../../services/transfer/refused.ts';
import { Mistake } from '../mistake.ts';

/** Its name in output and stored imports, and the prefix of files next to it. */
export const INPUT_NAME = 'standard-input';

const HEAD_BYTES = 64;

/** Gives `work` the file, which is gone when `work` has ended. Messages of errors have its name, not its path. */
export async function withInput(work: (path: string) => Promise<void>): Promise<void> {
  using folder = temporaryFolder('import');
  const path = join(folder.path, INPUT_NAME);
  try {
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }));
    await work(await named(path));
  } catch (error) {
    if (isNoRoom(error))
      throw new Mistake(
        'The folder for temporary files (TMPDIR) has no room for standard input: make some, or name another folder.',
      );
    if (error instanceof Error) {
      error.message = error.message.replaceAll(`${path}.ndjson`, INPUT_NAME);
      error.message = error.message.replaceAll(path, INPUT_NAME);
    }
    throw error;
  }
}

/** A file says by its name that it has JSON lines. Here the first character does; no column is called so. */
async function named(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(HEAD_BYTES) });
  const head = buffer.toString('latin1', 0, bytesRead);
  if (!/^[\s\0\u00ef\u00bb\u00bf\u00fe\u00ff]*\{/.test(head)) return path;
  await rename(path, `${path}.ndjson`);
  return `${path}.ndjson`;
}
