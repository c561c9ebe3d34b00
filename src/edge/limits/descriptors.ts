/** The limits of files and connections that the system sets for this process. */
import { close, open, readFileSync } from 'node:fs';

/** For the store, the log, Node and the connections to a database. */
const RESERVED = 64;
/** More would take more memory than most machines have to spare. */
const MAX_CONNECTIONS = 10_000;
const MIN_CONNECTIONS = 16;

/** The limit; infinite if the system has none. */
export function mostDescriptors(): number {
  let soft: string | undefined;
  try {
    soft = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  } catch {
    // Looking up the names of all interfaces would take seconds.
    Object.assign(process.report, { excludeNetwork: true });
    const report = process.report.getReport() as {
      readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } };
    };
    soft = report.userLimits?.open_files?.soft?.toString();
  }
  const limit = Number(soft);
  return Number.isInteger(limit) ? limit : Number.POSITIVE_INFINITY;
}

/** The default limit of connections of each process: four fifths of the descriptors left, at most 10,000 of all together. */
export function connectionsFor(descriptors: number, processes = 1): number {
  const left = Math.floor((descriptors - RESERVED) * 0.8);
  return Math.max(MIN_CONNECTIONS, Math.min(Math.ceil(MAX_CONNECTIONS / processes), left));
}

/** Calls back whether no file can be opened any more. The system then closes new connections without reporting it. */
export function areUsedUp(tell: (usedUp: boolean) => void): void {
  open('/dev/null', (error, descriptor) => {
    if (error === null) close(descriptor);
    tell(error?.code === 'EMFILE' || error?.code === 'ENFILE');
  });
}
