/** The store itself, for a command that does more than its operations. */
import type { Administration } from '../../edge/console/session/administrator.ts';
import { Mistake } from '../mistake.ts';
import type { At } from './members.ts';
import type { Here } from './performer.ts';

/** Throws a `Mistake` where a service elsewhere performs the operations. */
export function onStore({ here }: Pick<At, 'here'>): Here {
  if (here !== undefined) return here;
  throw new Mistake(
    'This works on the store itself: run it on the machine of the service, without --url.',
  );
}

/** Throws a `TypeError` for a group that does not take it. */
export function administrationAt(at: Pick<At, 'here'>): Administration {
  const { service, site, administered } = onStore(at).services;
  if (service && site && administered) return { service, site, administered };
  throw new TypeError('The group takes no administration.');
}
