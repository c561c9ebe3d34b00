/** Serves the finished files that `bin/site.ts` builds: the manual, the console and the client. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type TemporaryFolder, temporaryFolder } from '../../core/temporary.ts';
import type { Coding } from '../server/compress.ts';

/** A file as it is served, without the headers that all answers have. */
export interface SiteFile {
  readonly content: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** Browsers keep what they request by it for ever. */
  readonly version?: string;
  /** Its hash as lockfiles have it (Subresource Integrity), where they do. */
  readonly integrity?: string;
}

export interface BuiltFile extends Omit<SiteFile, 'content'> {
  /** The hash of the content, which is the name of the file. */
  readonly tag: string;
  readonly bytes: number;
  /** It is there as gzip and as Brotli, too, if it does not show an address. */
  readonly isText: boolean;
  /** It shows the address of the service: as text, or as HTML. */
  readonly shows?: 'text' | 'html';
}

/** The list of the files, which is a file beside them. */
export interface BuiltSite {
  /** The address that stands for the one of the service. */
  readonly address: string;
  /** By path; those that have none of their own by a name without a slash. */
  readonly files: readonly (readonly [path: string, file: BuiltFile])[];
}

/** The console's page, which is the answer to many paths. */
export function consolePage(language: string): string {
  return `console-${language}`;
}

/** The page for a path that is not there: its links are relative to it, and so depend on the folders above it. */
export function missingPage(path: string): string {
  return `missing-${path.split('/').length}`;
}

export function tagOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

const BUILD = join(import.meta.dirname, '../../../bin/site.ts');
/** A release has them. */
const BUILT = join(import.meta.dirname, '../../../site');
export const LIST = 'site.json';
/** For this long, a failure is the answer to all requests. */
const FAILED_MS = 5_000;

/** Finds the files on first request, and builds them where they are not there. */
export function createSiteFolder() {
  let opened: ReturnType<typeof find> | undefined;
  let temporary: TemporaryFolder | undefined;

  const forget = (): void => {
    opened = undefined;
  };
  const find = async () => {
    let folder = existsSync(BUILT) ? BUILT : await build();
    if (folder === '') {
      // Systems empty the folder of temporary files from time to time.
      if (temporary !== undefined && !existsSync(temporary.path)) temporary = undefined;
      temporary ??= temporaryFolder('site');
      folder = await build(temporary.path);
    }
    const { address, files } = JSON.parse(await readFile(join(folder, LIST), 'utf8')) as BuiltSite;
    return { folder, address, files: new Map(files) };
  };
  const open = () => {
    if (opened === undefined) {
      opened = find();
      opened.catch(() => setTimeout(forget, FAILED_MS).unref());
    }
    return opened;
  };
  return {
    open,
    async read({ tag }: BuiltFile, coding?: Coding): Promise<Buffer> {
      const { folder } = await open();
      try {
        return await readFile(join(folder, coding === undefined ? tag : `${tag}.${coding}`));
      } catch (error) {
        forget();
        throw error;
      }
    },
    close: () => temporary?.remove(),
  };
}

/** The folder of the built files; nothing where the cache cannot be written. Another process builds: its memory goes with it. */
async function build(...into: readonly string[]): Promise<string> {
  const { execFile } = await import('node:child_process');
  const run = promisify(execFile);
  return (await run(process.execPath, ['--disable-sigusr1', BUILD, ...into])).stdout;
}
