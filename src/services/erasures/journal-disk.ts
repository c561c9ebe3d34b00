/** Reads and writes a copy of the journal on its disk, which may take as long as it takes. */
import { constants } from 'node:fs';
import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { giveToFolder, passOverUnoffered } from '../../core/owners.ts';

interface Added {
  readonly lines: readonly string[];
  /** The byte at which they begin. */
  readonly at: number;
  readonly isCut: boolean;
}

/**
 * Writes lines in that place of a file and syncs it; a part of a line that stands there goes. Returns false, and writes
 * nothing, if other lines stand there.
 */
async function addLines(path: string, { lines, at, isCut }: Added): Promise<boolean> {
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const flags = constants.O_RDWR | constants.O_CREAT;
  await using file = await open(path, flags, 0o600);
  giveToFolder(file.fd, path);
  const there = await readFrom(file, at);
  const isSame = there.subarray(0, text.length).equals(text.subarray(0, there.length));
  const isPart = !there.includes('\n');
  if (!isSame && !isPart) return false;
  for (let done = 0; done < text.length; )
    done += (await file.write(text, done, text.length - done, at + done)).bytesWritten;
  if (isCut && isPart && there.length > text.length) await file.truncate(at + text.length);
  await file.sync();
  await using folder = await open(dirname(path), 'r');
  await folder.sync().catch((error) => passOverUnoffered(error, dirname(path)));
  return true;
}

async function readFrom(file: FileHandle, at: number): Promise<Buffer> {
  const there = Buffer.alloc(Math.max((await file.stat()).size - at, 0));
  let read = 0;
  for (let more = -1; more !== 0 && read < there.length; read += more)
    more = (await file.read(there, read, there.length - read, at + read)).bytesRead;
  return there.subarray(0, read);
}

/** A mark that changes with the file; `undefined`: there is none. */
async function endOf(path: string): Promise<string | undefined> {
  const found = await ifThere(stat(path));
  return found && `${found.ino} ${found.size} ${found.mtimeMs}`;
}

/** The content; `''` where there is no file. */
async function textOf(path: string): Promise<string> {
  return (await ifThere(readFile(path, 'utf8'))) ?? '';
}

async function ifThere<Found>(reading: Promise<Found>): Promise<Found | undefined> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export const journalDisk = { endOf, textOf, addLines };

export type JournalDisk = typeof journalDisk;
