/** The address that the service listens on, and the one that its answers link to. */
import type { Settings } from '../core/config.ts';

export interface ServiceAddress {
  /** Such as `http://127.0.0.1:8080`. */
  readonly listening: string;
  /** The address that the operator has set; otherwise the one that the service listens on. */
  readonly linked: string;
  /** Reports which port the system assigned, if any port was requested. */
  given(port: number): void;
}

export function createAddress(
  { host, port, public_url }: Pick<Settings, 'host' | 'port' | 'public_url'>,
  scheme: 'http' | 'https',
): ServiceAddress {
  let listening = addressOf(scheme, host, port);
  return {
    get listening() {
      return listening;
    },
    get linked() {
      return public_url ?? listening;
    },
    given(actual) {
      listening = addressOf(scheme, host, actual);
    },
  };
}

export function addressOf(scheme: 'http' | 'https', host: string, port: number): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
