/** Writes all that the programs of the client print, as texts that a terminal shows and does not obey. */
import { plain } from '../src/listen.ts';

/** Prints lines of a text. */
export function out(text: string): void {
  process.stdout.write(shown(text));
}

/** Prints lines beside the result, on standard error. */
export function error(text: string): void {
  process.stderr.write(shown(text));
}

/** Calls back once nobody reads the result any more. */
export function whenUnread(listener: () => void): void {
  process.stdout.once('error', listener);
}

const shown = (text: string): string => `${text.trimEnd().split('\n').map(plain).join('\n')}\n`;
