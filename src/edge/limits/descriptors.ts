/** Reads the limits on files and connections that the system sets for this process. */
import { close, open, readFileSync } from 'node:fs';

/** The descriptors reserved for the store, the log, Node and connections to a database. */
const RESERVED = 64;
/** The most connections: more would need more memory than most machines can spare. */
const MAX_CONNECTIONS = 10_000;
const MIN_CONNECTIONS = 16;

/** Returns the limit on descriptors; infinite if the system has none. */
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

/** Returns each process's default limit: four fifths of the descriptors left, at most 10,000 for all processes. */
export function connectionsFor(descriptors: number, processes = 1): number {
  const left = Math.floor((descriptors - RESERVED) * 0.8);
  return Math.max(MIN_CONNECTIONS, Math.min(Math.ceil(MAX_CONNECTIONS / processes), left));
}

/** Calls back with whether descriptors are used up. The system then silently closes new connections. */
export function areUsedUp(tell: (usedUp: boolean) => void): void {
  open('/dev/null', (error, descriptor) => {
    if (error === null) close(descriptor);
    tell(error?.code === 'EMFILE' || error?.code === 'ENFILE');
  });
}
