/** A folder in which files arrive: which of them no longer grow, and the folders to which they go. */
import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
} from 'node:fs';
import { open, opendir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Mistake } from '../../../../cli/mistake.ts';
import { codeOf } from '../../../../core/disk-failure.ts';
import { syncPath } from '../../../../core/owners.ts';
import { replaceFile } from '../../../../services/transfer/new-files.ts';

/** Why a file stays where it is; it is looked at again. */
export class Stays extends Error {
  override readonly name = 'Stays';
}

/** A file that no longer grows. */
export interface FoundFile {
  readonly name: string;
  /** It and nothing else: other bytes under its name have another one, and so has what was moved there again. */
  readonly mark: string;
  readonly arrived: bigint;
}

export type Place = (typeof PLACES)[number];

export type WatchedFolder = ReturnType<typeof watchedFolder>;

const PLACES = ['done', 'refused'] as const;
/** Entries of the folder that are looked at; of more, the others have their turn when these are gone. */
const MOST = 10_000;
/** Names that programs give to a file while they send it. */
const UNFINISHED =
  /(?:\.(?:part|partial|filepart|tmp|temp|crdownload|download|uploading|upload)|~)$/i;
/** After that long a file with such a name is told of. */
const BROKEN_OFF_MS = 3_600_000;
/** Bytes of a name, so that there is room for what is put behind. */
const LONGEST = 180;
const PIECE = 1_048_576;
const BESIDE = ['', '.rejected.csv', '.rejected.ndjson', '.why.txt'];

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

export function watchedFolder(given: string) {
  const path = realFolder(given);
  /** By name, how a file looked and since when. */
  const seen = new Map<string, { readonly mark: string; readonly since: number }>();

  /** The paths of a folder stay in it, whoever puts another one, or a link, in its place meanwhile. */
  const opened = <T>(name: Place | '', work: (at: string) => T): T => {
    const descriptor = openSync(join(path, name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    const close = () => closeSync(descriptor);
    const through = `/proc/self/fd/${descriptor}`;
    let result: T;
    try {
      result = work(existsSync(through) ? through : join(path, name));
    } catch (error) {
      close();
      throw error;
    }
    if (result instanceof Promise) return result.finally(close) as T;
    close();
    return result;
  };

  /** Makes the folders to which files go, where they are missing. Throws `Stays`. */
  const prepare = (): void => {
    for (const name of PLACES) {
      try {
        if (lstatSync(join(path, name), { throwIfNoEntry: false }) === undefined)
          mkdirSync(join(path, name), { mode: 0o750 });
        opened(name, () => undefined);
      } catch (error) {
        const code = codeOf(error);
        const isOther = code === 'ELOOP' || code === 'ENOTDIR';
        throw new Stays(
          isOther
            ? `${join(path, name)} is no folder: move it away, and files go there again.`
            : `${join(path, name)} cannot be used (${code}): give this user the right to write there.`,
        );
      }
    }
  };

  const isFree = (name: string): boolean =>
    PLACES.every((place) =>
      BESIDE.every((end) => lstatSync(join(path, place, name + end), QUIETLY) === undefined),
    );

  return {
    path,
    prepare,
    /** The files that have not changed for that long, those that came first before others; tells why others stay. */
    async ready(quietMs: number, tell: (name: string, why: string) => void) {
      const found: FoundFile[] = [];
      const names = new Set<string>();
      await opened('', async (at) => {
        for await (const { name } of await opendir(at)) {
          if (names.size >= MOST) break;
          if (name.startsWith('.') || (PLACES as readonly string[]).includes(name)) continue;
          names.add(name);
          const stats = lstatSync(join(at, name), QUIETLY);
          if (stats === undefined) {
            if (name.includes('\ufffd')) tell(name, 'its name is not UTF-8: rename it.');
            continue;
          }
          const mark = markOf(stats);
          let last = seen.get(name);
          if (last?.mark !== mark) {
            last = { mark, since: performance.now() };
            seen.set(name, last);
          }
          const quiet = performance.now() - last.since;
          const why = whyNot(name, stats, quiet);
          if (why !== undefined) tell(name, why);
          else if (quiet >= quietMs && !UNFINISHED.test(name))
            found.push({ name, mark, arrived: stats.ctimeNs });
        }
      });
      for (const name of seen.keys()) if (!names.has(name)) seen.delete(name);
      found.sort(
        (one, other) => Number(one.arrived - other.arrived) || (one.name < other.name ? -1 : 1),
      );
      return { found, names };
    },
    /** Copies a file to a path where nobody changes it, and gives the digest of its bytes. Throws `Stays`. */
    async copy({ name, mark }: FoundFile, to: string): Promise<string> {
      return opened('', async (at) => {
        await using file = await open(join(at, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(
          (error) => {
            throw new Stays(unreadable(codeOf(error)));
          },
        );
        await using target = await open(to, 'wx', 0o600);
        const hash = createHash('sha256');
        const piece = Buffer.alloc(PIECE);
        for (;;) {
          const { bytesRead } = await file.read(piece);
          if (bytesRead === 0) break;
          hash.update(piece.subarray(0, bytesRead));
          await target.writeFile(piece.subarray(0, bytesRead));
        }
        const stat = await file.stat({ bigint: true });
        if (markOf(stat) !== mark) throw new Stays(CHANGES);
        // A sync is as of the time at which the file was changed.
        await target.utimes(stat.atime, stat.mtime);
        return hash.digest('hex');
      });
    },
    /** The name under which a file is kept, which no other one has there. */
    freeName(name: string): string {
      let [base, ending] = [name.slice(0, -extname(name).length || undefined), extname(name)];
      while (Buffer.byteLength(base + ending) > LONGEST)
        if (ending.length > 20) ending = ending.slice(0, -1);
        else base = base.slice(0, -1);
      const first = base + ending;
      if (isFree(first)) return first;
      const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
      for (let next = 1; ; next += 1) {
        const other = `${base}.${time}${next === 1 ? '' : `-${next}`}${ending}`;
        if (isFree(other)) return other;
      }
    },
    /** The path of something beside a refused file. */
    beside: (as: string, end: string): string => join(path, 'refused', as + end),
    /** Writes why a file was refused beside it. */
    say: (as: string, why: string): void =>
      opened('refused', (at) => replaceFile(join(at, `${as}.why.txt`), `${why}\n`)),
    /** Moves a file where it belongs; what is beside it can be read by who can read it. Throws `Stays` where it has changed; gives `false` where it is gone. */
    move({ name, mark }: Pick<FoundFile, 'name' | 'mark'>, to: Place, as: string): boolean {
      return opened('', (from) =>
        opened(to, (into) => {
          const stats = lstatSync(join(from, name), QUIETLY);
          if (stats === undefined) return false;
          if (markOf(stats) !== mark) throw new Stays(CHANGES);
          for (const end of BESIDE.slice(1))
            if (lstatSync(join(into, as + end), QUIETLY)?.isFile())
              letRead(join(into, as + end), Number(stats.mode & 0o666n) | 0o600);
          renameSync(join(from, name), join(into, as));
          syncPath(into);
          syncPath(from);
          return true;
        }),
      );
    },
    isTaken: (to: Place, as: string): boolean =>
      lstatSync(join(path, to, as), QUIETLY) !== undefined,
    opened,
  };
}

const QUIETLY = { bigint: true, throwIfNoEntry: false } as const;
const CHANGES = 'it has changed while it was read: it waits until it no longer does.';

function realFolder(given: string): string {
  try {
    const path = realpathSync(given);
    closeSync(openSync(path, O_RDONLY | O_DIRECTORY));
    return path;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') throw new Mistake(`--watch ${given}: there is no such folder. Make it.`);
    if (code === 'ENOTDIR') throw new Mistake(`--watch ${given} is a file: name its folder.`);
    throw new Mistake(`--watch ${given} cannot be read (${code}).`);
  }
}

function markOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/** Why an entry is no file to be imported, as far as there is anything to say. */
function whyNot(name: string, stats: BigIntStats, quietMs: number): string | undefined {
  if (stats.isSymbolicLink())
    return 'it is a link, and links are not followed: put the file there.';
  if (stats.isDirectory())
    return 'it is a folder, and files are taken from the watched folder alone: move its files there.';
  if (!stats.isFile()) return 'it is no file: remove it.';
  if (UNFINISHED.test(name) && quietMs > BROKEN_OFF_MS)
    return 'its name says that it is still being sent, but it has not grown for an hour: send it again, or remove it.';
  return undefined;
}

function unreadable(code: string | undefined): string {
  if (code === 'EACCES' || code === 'EPERM')
    return `this user may not read it (${code}): give its group the right.`;
  if (code === 'ELOOP') return 'it is a link, and links are not followed: put the file there.';
  return `it cannot be read (${code}).`;
}

function letRead(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch {
    // Not every file system has rights.
  }
}
