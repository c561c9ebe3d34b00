/** Tells the audit what is about to leave the page. Throws where that fails: then it stays. */
import { ask } from './api.ts';

/** `what` is the path name of a resource, or `today`. */
export async function printed(what: string): Promise<void> {
  await ask('POST', '/printed', { what });
}

export async function saved(what: string): Promise<void> {
  await ask('POST', '/saved', { what });
}
