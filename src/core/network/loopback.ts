/** Where an address to listen on is reached from. */

/** Whether it is this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Whether it is anywhere: it stands for all addresses of this machine. */
export function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
