/** Which changes an endpoint is notified of: names of notifications, and patterns of them. */
import { nearestName } from '../../core/schema/fields/members.ts';
import { OUTCOMES } from '../../core/schema/outcomes.ts';

/** Sent in place of changes to an endpoint that only wants to know that there are any. */
export const SIGNAL = 'changes.available';
/** Sent when an endpoint is tested. */
export const TEST = 'webhook_endpoint.test';

const ANY = '*';

/** Whether a change of that resource with that outcome is one of the notifications. */
export function isWanted(
  notifications: readonly string[],
  resource: string,
  outcome: string,
): boolean {
  return notifications.some((pattern) => {
    if (pattern === ANY) return true;
    const [name, what] = partsOf(pattern);
    return (name === ANY || name === resource) && (what === ANY || what === outcome);
  });
}

/** The fault of a notification's name, as the rest of a sentence; `undefined`: it is valid. */
export function complaintOf(pattern: string, resources: readonly string[]): string | undefined {
  if (pattern === ANY) return undefined;
  const [name, what] = partsOf(pattern);
  if (what === undefined)
    return 'is not a notification name. Use RESOURCE.OUTCOME, such as event.created, event.* or *.deleted';
  if (name !== ANY && !resources.includes(name)) {
    const nearest = nearestName(name, resources);
    return `names no resource${nearest === undefined ? `: ${resources.join(', ')}` : `. Did you mean ${nearest}.${what}?`}`;
  }
  if (what !== ANY && !(OUTCOMES as readonly string[]).includes(what))
    return `names no outcome: ${OUTCOMES.join(', ')} or *`;
  return undefined;
}

function partsOf(pattern: string): readonly [resource: string, outcome: string | undefined] {
  const dot = pattern.indexOf('.');
  return dot < 0 ? [pattern, undefined] : [pattern.slice(0, dot), pattern.slice(dot + 1)];
}
