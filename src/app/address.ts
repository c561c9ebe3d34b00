/** The address that the service listens on, and the one that its answers link to. */
import type { Settings } from '../core/config.ts';

export type ServiceAddress = ReturnType<typeof createAddress>;

export function createAddress(
  { host, port, public_url }: Pick<Settings, 'host' | 'port' | 'public_url'>,
  scheme: 'http' | 'https',
) {
  let listening = addressOf(scheme, host, port);
  return {
    /** Such as `http://127.0.0.1:8080`. */
    get listening(): string {
      return listening;
    },
    /** The address that the operator has set; otherwise the one that the service listens on. */
    get linked(): string {
      return public_url ?? listening;
    },
    /** Reports which port the system assigned, if any port was requested. */
    given(actual: number): void {
      listening = addressOf(scheme, host, actual);
    },
  };
}

export function addressOf(scheme: 'http' | 'https', host: string, port: number): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
