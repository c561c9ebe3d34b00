/** Finds what of a record asks for a follow-up. */
import { isObject, type JsonObject } from '../../../core/schema/values.ts';
import type { LoggedChange } from '../../../store/promises/log.ts';
import { parseDocument } from '../../../store/records/records.ts';
import type { FollowUp } from '../declares.ts';

interface Signal {
  readonly reason: FollowUp['reason'];
  readonly is: (content: JsonObject) => boolean;
  /** The members that decide it; none: that there is the record. */
  readonly by: readonly string[];
}

const CALL = /\b(?:call|phone|ring)\b/i;
const TICKED = /^(?:yes|true|x|1)$/i;

const interested = (member: string): Signal => ({
  reason: 'interested',
  by: [member],
  is: (content) => content[member] === true,
});

/** By resource. */
export const SIGNALS: Readonly<Record<string, Signal>> = {
  event_administrator: interested('person_interested_in_pre_planning'),
  event_check_in_record: interested('visitor_interested_in_pre_planning'),
  online_arrangement: { reason: 'arrangement_begun', by: [], is: () => true },
  direct_mail_reply: {
    reason: 'asked_for_call',
    by: ['additional_metadata'],
    is: ({ additional_metadata: all }) =>
      isObject(all) &&
      Object.entries(all).some(([name, tick]) => CALL.test(name) && TICKED.test(String(tick))),
  },
};

/** The members of a document that signals are among. */
export function contentOf(document: JsonObject): JsonObject {
  return isObject(document.public_data) ? document.public_data : {};
}

/** Whether a change may be one by which a record asks for something: it makes the record, or changes what decides that. */
export function maySignal({ outcome, resource, content }: LoggedChange): boolean {
  const signal = SIGNALS[resource];
  if (signal === undefined) return false;
  if (outcome === 'created') return true;
  if (outcome !== 'updated' || signal.by.length === 0) return false;
  if (content === null) return true;
  // What an update has replaced; nothing stood there where that is no object.
  const { public_data: replaced } = parseDocument(content);
  if (replaced === undefined || !isObject(replaced)) return replaced !== undefined;
  return signal.by.some((member) => Object.hasOwn(replaced, member));
}
