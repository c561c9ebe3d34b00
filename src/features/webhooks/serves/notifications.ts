/** Which changes and states an endpoint is notified of: names of notifications, and patterns of them. */
import { OUTCOMES } from '../../../core/schema/define.ts';
import { nearestName } from '../../../core/schema/fields/members.ts';
import type { LoggedChange } from '../../../store/promises/log.ts';
import { featureNotifications } from '../../declares.ts';

/** Sent when an endpoint is tested. */
export const TEST = 'webhook_endpoint.test';

const ANY = '*';

/** What states are told of, such as `source.silent`, by the first part of their names. */
const STATES = new Map(featureNotifications.map(({ of, states }) => [of, Object.keys(states)]));
const ALL_STATES = [...STATES.values()].flat();

/** Sent where a source proposes another value for what staff corrected. */
export const PROPOSAL = 'proposal.created';

/**
 * The type of the notification of a change; `undefined` if it is none that is wanted. What proposes and updates other
 * members, too, is an update for those that did not ask for proposals.
 */
export function typeOf(
  notifications: readonly string[],
  { resource, outcome }: Pick<LoggedChange, 'resource' | 'outcome'>,
  isUpdate: () => boolean,
): string | undefined {
  if (outcome !== 'proposed') {
    const isFor =
      isWanted(notifications, resource, outcome) ||
      (outcome === 'erased' && hearsOfErased(notifications, resource));
    return isFor ? `${resource}.${outcome}` : undefined;
  }
  if (notifications.includes(PROPOSAL)) return PROPOSAL;
  if (!isWanted(notifications, resource, 'updated')) return undefined;
  return isUpdate() || !notifications.includes(ANY) ? `${resource}.updated` : PROPOSAL;
}

export function isWanted(notifications: readonly string[], resource: string, outcome: string) {
  return notifications.some((pattern) => {
    if (pattern === ANY) return true;
    const [name, what] = partsOf(pattern);
    return (name === ANY || name === resource) && (what === ANY || what === outcome);
  });
}

/** An endpoint that has received anything of a resource must hear what was erased of it. */
export function hearsOfErased(notifications: readonly string[], resource: string): boolean {
  return notifications.some((pattern) => {
    const [name, what] = partsOf(pattern);
    return name === resource || (name === ANY && !ALL_STATES.some((one) => one === what));
  });
}

/** The fault of a notification's name, as the rest of a sentence; `undefined`: it is valid. */
export function complaintOf(pattern: string, resources: readonly string[]): string | undefined {
  if (pattern === ANY || pattern === PROPOSAL) return undefined;
  const [name, what] = partsOf(pattern);
  if (what === undefined)
    return 'is not a notification name. Use RESOURCE.OUTCOME, such as event.created, event.* or *.deleted';
  if (name !== ANY && !STATES.has(name) && !resources.includes(name)) {
    const nearest = nearestName(name, resources);
    return `names no resource${nearest === undefined ? `: ${resources.join(', ')}` : `. Did you mean ${nearest}.${what}?`}`;
  }
  const known: readonly string[] =
    STATES.get(name) ?? (name === ANY ? [...OUTCOMES, ...ALL_STATES] : OUTCOMES);
  if (what !== ANY && !known.includes(what)) return `names no outcome: ${known.join(', ')} or *`;
  return undefined;
}

function partsOf(pattern: string): readonly [resource: string, outcome: string | undefined] {
  const dot = pattern.indexOf('.');
  return dot < 0 ? [pattern, undefined] : [pattern.slice(0, dot), pattern.slice(dot + 1)];
}
