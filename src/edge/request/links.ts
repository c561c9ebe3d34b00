/** Which address the links of an answer lead to: the operator's, or the one that the service listens on; never one that a caller names. */
import type { IncomingHttpHeaders } from 'node:http';

/** Headers with which proxies pass requests on, often to the address that the service listens on. */
const PASSED_ON = [
  ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
  ...['x-forwarded-port', 'x-forwarded-server', 'x-real-ip'],
];

export interface LinkBases {
  /** The address that the operator has set. */
  readonly publicUrl: string | undefined;
  /** Where the service listens; empty where that is every address of the machine, which nobody can ask. */
  readonly listening: () => string;
  /** Gives the beginning of links for a caller; empty, which makes them relative, for one who came by an address that is not known. */
  readonly baseFor: (headers?: IncomingHttpHeaders) => string;
}

export function createLinkBases(publicUrl: string | undefined, listening: () => string): LinkBases {
  const baseFor = (headers: IncomingHttpHeaders = {}): string => {
    if (publicUrl !== undefined) return publicUrl;
    const address = listening();
    const isPassedOn = PASSED_ON.some((name) => headers[name] !== undefined);
    // As clients write it: without the port of the scheme.
    const own = isPassedOn ? undefined : URL.parse(address)?.host;
    return own !== undefined && headers.host?.toLowerCase() === own ? address : '';
  };
  return { publicUrl, listening, baseFor };
}
