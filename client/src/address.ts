/** Addresses that commands send an API key to. */

/** What is wrong with the address of a service that a command was given as `named`; it repeats nothing that may be a key. */
export function addressFault(
  address: string,
  named: string,
  plainHttp: boolean,
): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return `${named} is no address of a service: write all of it, such as https://records.example.com.`;
  if (url.username !== '' || url.password !== '')
    return `${named} holds a user or a password. Leave them out, and put the API key into LEDGERSTONE_KEY.`;
  if (url.search !== '' || url.hash !== '')
    return `${named} holds more than the address of the service. Leave out ? and # and what follows them.`;
  if (url.protocol === 'http:' && !plainHttp && !isThisMachine(url.hostname))
    return `${named} is plain HTTP to ${url.hostname}: everybody on the way could read the API key and the records. Write https://, or add --plain-http if the network itself is encrypted.`;
  return undefined;
}

function isThisMachine(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);
}
