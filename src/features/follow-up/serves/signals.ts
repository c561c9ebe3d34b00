/** Finds what of a record asks for a follow-up, and marks the phone numbers and email addresses of its person. */
import { createHmac } from 'node:crypto';
import type { Resource } from '../../../core/schema/define.ts';
import { isObject, type Json, type JsonObject } from '../../../core/schema/values.ts';
import type { Sealer } from '../../../core/sealing/sealer.ts';
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

/** The purpose that the keys of marks are derived for. */
const PURPOSE = 'whom nobody is to contact';
const MARK_LENGTH = 22;

/** Makes marks of the phone numbers and email addresses in a document, by each key. `undefined`: there is no key. */
export function createMarks(sealer: Sealer | undefined) {
  const keys = sealer?.derived(PURPOSE);
  return (
    keys &&
    (({ shape }: Resource, document: JsonObject): readonly string[] =>
      (shape.searched ?? []).flatMap(({ path, as }) => {
        const value = as === 'words' ? undefined : at(document, path);
        if (typeof value !== 'string') return [];
        const text =
          as === 'digits' ? value.replace(/\D/g, '').slice(-10) : value.trim().toLowerCase();
        return keys.map((key) =>
          createHmac('sha256', key)
            .update(`${as} ${text}`)
            .digest('base64url')
            .slice(0, MARK_LENGTH),
        );
      }))
  );
}

export type ContactMarks = ReturnType<typeof createMarks>;

function at(document: JsonObject, path: readonly string[]): Json | undefined {
  let found: Json | undefined = document;
  for (const name of path) found = isObject(found) ? found[name] : undefined;
  return found;
}
