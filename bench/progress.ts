/** Says on the terminal what is being done. */
export function say(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${what}`);
  else if (what !== '' && !what.startsWith('filling')) process.stderr.write(`${what}\n`);
}

export function sayFilled(done: number, records: number): void {
  say(`filling: ${done.toLocaleString('en')} of ${records.toLocaleString('en')} records`);
}
