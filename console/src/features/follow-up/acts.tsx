/** What people do about a follow-up: at once, or after a question. */
import { followups as says } from 'messages';
import type { FollowUp } from '../../../../client/src/generated/objects.d.ts';
import * as bounds from '../../generated/bounds.ts';
import { useActions } from '../../parts/actions.tsx';
import { ActMenu } from '../../parts/menu.tsx';
import { say } from '../../parts/notice.tsx';
import { usualZone } from '../../places/zones.ts';
import { api } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { midnight, momentIn, withOffset } from '../../values/days.ts';

/** In the order of their keys. */
export const OUTCOMES = [
  ...(['done', 'appointment', 'not_now', 'no', 'do_not_contact', 'wrong_number'] as const),
  ...(['unreachable', 'at_need'] as const),
];
type Outcome = (typeof OUTCOMES)[number];

const CHANNELS = ['call', 'email', 'letter', 'visit'] as const;
const ATTEMPTED = ['reached', 'message_left', 'no_answer', 'sent'] as const;

export function isMine({ owner }: FollowUp): boolean {
  return owner === session.value?.staff.unique_identifier;
}

export function useFollowUpActs(onDone: () => void) {
  const { busy, dialog, fault, ask, perform } = useActions();
  const undo =
    ({ unique_identifier: id }: FollowUp) =>
    () =>
      void perform(() => api.follow_ups.reopen(id, says.undone), onDone);
  const closed = (one: FollowUp): void => {
    say(says.closed, { undo: undo(one) });
    onDone();
  };
  const acts = {
    claim: ({ unique_identifier: id }: FollowUp) =>
      void perform(() => api.follow_ups.claim(id), onDone),
    release: ({ unique_identifier: id }: FollowUp) =>
      void perform(() => api.follow_ups.release(id), onDone),
    attempt: ({ unique_identifier: id }: FollowUp) =>
      ask({
        title: says.attempt,
        submit: says.note,
        bounds: bounds.attempt_follow_up,
        begin: { channel: 'call', outcome: 'no_answer', note: '' },
        fields: {
          channel: { label: says.channel, of: CHANNELS.map((one) => [one, says.channels[one]]) },
          outcome: { label: says.cameOf, of: ATTEMPTED.map((one) => [one, says.attempted[one]]) },
          note: { label: says.text, of: 'lines' },
        },
        send: ({ channel, outcome, note }) =>
          api.follow_ups.attempt(id, {
            channel: channel as 'call',
            outcome: outcome as 'sent',
            ...(note === '' ? {} : { note }),
          }),
        said: says.noted,
        onDone,
      }),
    close: (one: FollowUp, outcome: Outcome): void => {
      const { unique_identifier: id } = one;
      if (outcome !== 'not_now' && outcome !== 'do_not_contact')
        return void perform(
          () => api.follow_ups.close(id, { outcome }),
          () => closed(one),
        );
      const zone = usualZone.value;
      const isLater = outcome === 'not_now';
      ask({
        title: says.outcomes[outcome],
        submit: says.close,
        danger: !isLater,
        hint: isLater ? says.laterHint : says.neverHint,
        begin: { next: '' },
        fields: isLater
          ? {
              next: {
                label: says.next,
                of: 'date',
                needed: true,
                days: { min: withOffset(midnight(zone, new Date(), 1), zone).slice(0, 10) },
              },
            }
          : {},
        send: ({ next }) => {
          const next_at = isLater && { next_at: withOffset(momentIn(zone, next), zone) };
          return api.follow_ups.close(id, { outcome, ...next_at });
        },
        onDone: () => closed(one),
      });
    },
  };
  return { busy, dialog, fault, acts };
}

export type FollowUpActs = ReturnType<typeof useFollowUpActs>['acts'];

export function ActsOf(props: {
  readonly one: FollowUp;
  readonly acts: FollowUpActs;
}): JSX.Element {
  const { one, acts } = props;
  const isFree = one.owner === null;
  return (
    <ActMenu
      acts={[
        { may: isFree, label: says.claim, run: () => acts.claim(one) },
        { may: !isFree, label: says.release, run: () => acts.release(one) },
        {
          may: isFree || isMine(one),
          asks: true,
          label: says.attempt,
          run: () => acts.attempt(one),
        },
        ...OUTCOMES.map((outcome) => ({
          may: isFree || isMine(one),
          label: says.outcomes[outcome],
          run: () => acts.close(one, outcome),
        })),
      ]}
    />
  );
}
