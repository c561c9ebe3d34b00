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
