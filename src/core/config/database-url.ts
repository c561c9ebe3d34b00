/** Reads the address of the store, and refuses parameters that the driver would ignore. */
import { serversOf } from '../network/servers.ts';
import { nearest } from './nearest.ts';
import { quote, type SettingValue } from './readers.ts';

/** Parameters that the driver understands. */
const PARAMETERS = [
  ...['sslmode', 'ssl', 'sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation', 'uselibpqcompat'],
  ...['host', 'port', 'user', 'password', 'options', 'client_encoding'],
  ...['application_name', 'fallback_application_name', 'lock_timeout'],
  ...['statement_timeout', 'idle_in_transaction_session_timeout', 'query_timeout'],
];

export function readDatabaseUrl(text: string): SettingValue<string> {
  if (/^sqlite:./.test(text)) return { value: text };
  const servers = /^postgres(ql)?:\/\//.test(text) ? serversOf(text) : [];
  const urls = servers.map((one) => URL.parse(one));
  const [url] = urls;
  if (!url || urls.some((one) => !one?.host && urls.length > 1))
    return { complaint: 'must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE' };
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown === undefined) return { value: text };
  const meant = nearest(unknown, PARAMETERS);
  return {
    complaint: `must have no parameter ${quote(unknown)}, which would do nothing${meant === undefined ? '' : `. Did you mean ${quote(meant)}?`}`,
  };
}
