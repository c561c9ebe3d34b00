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
  ...(['done', 'appointment', 'not_now', 'no'] as const),
  ...(['do_not_contact', 'wrong_number', 'unreachable', 'at_need'] as const),
];
type Outcome = (typeof OUTCOMES)[number];

export function isMine({ owner }: FollowUp): boolean {
  return owner === session.value?.staff.unique_identifier;
}

export function useFollowUpActs(onDone: () => void) {
  const { dialog, fault, ask, perform } = useActions();
  const closed = ({ unique_identifier: id }: FollowUp): void => {
    const undo = () => perform(() => api.follow_ups.reopen(id, says.undone), onDone);
    say(says.closed, { undo: () => void undo() });
    onDone();
  };
  const acts = {
    begin: (record: string) =>
      ask({
        title: says.begin,
        submit: says.begin,
        bounds: bounds.create_follow_up,
        begin: { note: '' },
        fields: { note: { label: says.text, of: 'lines' } },
        send: ({ note }) => api.follow_ups.create({ record, ...(note && { note }) }),
        onDone,
      }),
    claim: (one: FollowUp) =>
      void perform(() => api.follow_ups.claim(one.unique_identifier), onDone),
    release: (one: FollowUp) =>
      void perform(() => api.follow_ups.release(one.unique_identifier), onDone),
    attempt: ({ unique_identifier: id }: FollowUp) =>
      ask({
        title: says.attempt,
        submit: says.note,
        bounds: bounds.attempt_follow_up,
        begin: { channel: 'call', outcome: 'no_answer', note: '' },
        fields: {
          channel: { label: says.channel, of: Object.entries(says.channels) },
          outcome: { label: says.cameOf, of: Object.entries(says.attempted) },
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
  return { dialog, fault, acts };
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
