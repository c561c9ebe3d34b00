/** Finds what of a record asks for a follow-up. */
import { isObject, type JsonObject } from '../../../core/schema/values.ts';
import type { LoggedChange } from '../../../store/promises/log.ts';
import { parseDocument } from '../../../store/records/records.ts';
import type { FollowUp } from '../declares.ts';
import { type Means, saidByTicks, unclearOf } from './ticks.ts';

interface Signal {
  readonly reason: FollowUp['reason'];
  /** Whether it asks for one; `unclear`: something on it may mean that. */
  readonly asks: (content: JsonObject, means?: Means) => boolean | 'unclear';
  /** Finds what its person refuses on it themselves. */
  readonly refuses?: (content: JsonObject, means?: Means) => 'calls' | 'all' | undefined;
  /** Finds the ticks on it of which people say what they mean, by what is the same in each spelling. */
  readonly unclear?: (content: JsonObject) => ReadonlyMap<string, string>;
  /** The members that decide it, and those by which its person is known where it may refuse; none: that there is the record. */
  readonly by: readonly string[];
}

const interested = (member: string): Signal => ({
  reason: 'interested',
  by: [member],
  asks: (content) => content[member] === true,
});

const ticksOf = ({ additional_metadata: all }: JsonObject, means?: Means) =>
  isObject(all) ? saidByTicks(all, means) : undefined;

/** By resource. */
export const SIGNALS: Readonly<Record<string, Signal>> = {
  event_administrator: interested('person_interested_in_pre_planning'),
  event_check_in_record: interested('visitor_interested_in_pre_planning'),
  online_arrangement: { reason: 'arrangement_begun', by: [], asks: () => true },
  direct_mail_reply: {
    reason: 'asked_for_call',
    by: ['additional_metadata', 'respondent_person'],
    asks(content, means) {
      const said = ticksOf(content, means);
      return said === 'unclear' ? said : said === 'call';
    },
    refuses: (content, means) =>
      (({ no_call: 'calls', no_contact: 'all', call: undefined, unclear: undefined }) as const)[
        ticksOf(content, means) ?? 'unclear'
      ],
    unclear: ({ additional_metadata: all }) => (isObject(all) ? unclearOf(all) : new Map()),
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
