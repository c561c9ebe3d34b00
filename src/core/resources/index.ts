/** The registry: every resource, parents before children. */
import type { Resource } from '../schema/define.ts';
import { account } from './account.ts';
import { directMailReply } from './direct-mail-reply.ts';
import { event } from './event.ts';
import { eventAdministrator } from './event-administrator.ts';
import { eventCheckInRecord } from './event-check-in-record.ts';
import { location } from './location.ts';
import { onlineArrangement } from './online-arrangement.ts';

export const resources: readonly Resource[] = [
  account,
  location,
  event,
  eventAdministrator,
  eventCheckInRecord,
  onlineArrangement,
  directMailReply,
];

/** The resource that all others belong to. */
export const root = theOne(({ parent }) => parent === undefined);

/** The resource whose records keys can be limited to. */
export const anchor = theOne((resource) => resource.anchor);

function theOne(is: (resource: Resource) => boolean): Resource {
  const found = resources.find(is);
  if (found === undefined) throw new TypeError('The registry lacks a resource.');
  return found;
}
