/** The messages of the console in each language. */
import { cataloguesIn, messagesIn, readMessages } from '../../console/build/messages.ts';

/** Every message by the way to it: `page.nav.today`. */
export function messagesOf(language: string): ReadonlyMap<string, string> {
  return new Map(
    cataloguesIn().flatMap((name) => [...messagesIn(readMessages(language, name), name)]),
  );
}
