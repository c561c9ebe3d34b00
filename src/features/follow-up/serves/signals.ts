/** Finds what of a record asks for a follow-up. */
import { isObject, type JsonObject } from '../../../core/schema/values.ts';
import type { FollowUp } from '../declares.ts';

interface Signal {
  readonly reason: FollowUp['reason'];
  readonly is: (content: JsonObject) => boolean;
}

const CALL = /\b(?:call|phone|ring)\b/i;
const TICKED = /^(?:yes|true|x|1)$/i;

const interested = (member: string): Signal => ({
  reason: 'interested',
  is: (content) => content[member] === true,
});

/** By resource. */
export const SIGNALS: Readonly<Record<string, Signal>> = {
  event_administrator: interested('person_interested_in_pre_planning'),
  event_check_in_record: interested('visitor_interested_in_pre_planning'),
  online_arrangement: { reason: 'arrangement_begun', is: () => true },
  direct_mail_reply: {
    reason: 'asked_for_call',
    is: ({ additional_metadata: all }) =>
      isObject(all) &&
      Object.entries(all).some(([name, tick]) => CALL.test(name) && TICKED.test(String(tick))),
  },
};

/** The members of a document that signals are among. */
export function contentOf(document: JsonObject): JsonObject {
  return isObject(document.public_data) ? document.public_data : {};
}
