/** The address at which people reach the service of a command, as its settings say. */
import { isLoopback } from '../../core/network/networks.ts';
import type { Command } from '../help.ts';
import { settingsFor } from './settings.ts';

export function addressFor(command: Command): string {
  const settings = settingsFor(command, 'public_url', 'host', 'port', 'tls_cert');
  const { public_url, host, port, tls_cert } = settings;
  if (public_url !== undefined) return public_url;
  // Passkeys work for names, and for no addresses.
  const isOwn = isLoopback(host) || host === '0.0.0.0' || host === '::';
  const name = isOwn ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${tls_cert === undefined ? 'http' : 'https'}://${name}:${port}`;
}
