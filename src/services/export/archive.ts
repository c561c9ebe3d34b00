/** Several tables as one file: a ZIP archive that is written as it is read. */
import { Readable } from 'node:stream';

/** A file of the archive. */
export interface ArchivedFile {
  readonly name: string;
  readonly bytes: AsyncIterable<string | Uint8Array>;
  /** Whether it gets smaller by it: workbooks are compressed as they are. */
  readonly compress: boolean;
}

/** The bytes of the archive. Each file is read when those before it are written. */
export async function* writeArchive(files: readonly ArchivedFile[], mtime: Date) {
  const { ZipFile } = await import('yazl');
  const archive = new ZipFile();
  const written = archive.outputStream as Readable;
  // Pipes neither pass errors on nor report upstream that no end will come.
  let reading: Readable | undefined;
  archive.on('error', (error: Error) => written.destroy(error));
  for (const { name, bytes, compress } of files) {
    archive.addReadStreamLazy(name, { compress, mtime }, (give) => {
      reading = Readable.from(bytes, { objectMode: false });
      reading.on('error', (error) => written.destroy(error));
      give(null, reading);
    });
  }
  archive.end();
  try {
    yield* written;
  } finally {
    reading?.destroy();
  }
}
