/** The servers that an address of PostgreSQL names: `postgres://USER@HOST:PORT,HOST:PORT/DATABASE`. */

/** The address of each of them. */
export function serversOf(url: string): readonly string[] {
  const [, before, hosts = '', rest] = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => `${before}${host}${rest}`) : [url];
}
