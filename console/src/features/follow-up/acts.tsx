/** What people do about a follow-up: at once, or after a question. */

import { followUp as says, page as texts } from 'messages';
import type { FollowUp } from '../../../../client/src/generated/objects.d.ts';
import { now } from '../../clock.ts';
import * as bounds from '../../generated/bounds.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { ActMenu } from '../../parts/menu.tsx';
import { sayOneMore } from '../../parts/notice.tsx';
import { usualZone } from '../../places/zones.ts';
import { api } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { midnight, momentIn, withOffset } from '../../values/days.ts';
import { labelled } from '../../values/format.ts';

/** In the order of their keys. */
export const OUTCOMES = [
  ...(['done', 'appointment', 'not_now', 'no'] as const),
  ...(['do_not_contact', 'wrong_number', 'unreachable', 'at_need'] as const),
];
type Outcome = (typeof OUTCOMES)[number];

const ownId = (): string | undefined => session.value?.staff.unique_identifier;

export function isMine({ owner }: FollowUp): boolean {
  return owner === ownId();
}

/** A list that takes a line away as soon as somebody closes it, and puts it back where the service refuses. */
export interface Leaving {
  leaves(id: string): void;
  stays(id: string): void;
}

const NOWHERE: Leaving = { leaves: () => undefined, stays: () => undefined };

export function useFollowUpActs(onDone: () => void, { leaves, stays } = NOWHERE) {
  const { dialog, fault, ask, perform } = useActions();
  const closed = ({ unique_identifier: id }: FollowUp): void => {
    const reopen = async (all: readonly string[]) => {
      for (const one of all) {
        await api.follow_ups.reopen(one, says.undone);
        stays(one);
      }
    };
    sayOneMore({
      kind: 'follow-up',
      one: id,
      text: says.closed,
      undo: (all) => void perform(() => reopen(all).then(() => true), onDone),
    });
    onDone();
  };
  /** Asks about a follow-up of a record that somebody but `not` is to do. */
  const askWho = (record: string, not: string | undefined, asks: (people: People) => void): void =>
    void perform(
      () => api.follow_ups.colleagues({ record }),
      ({ colleagues }) =>
        asks(
          colleagues.flatMap(({ unique_identifier: id, name }) =>
            id === not ? [] : [[id, id === ownId() ? says.me : name] as const],
          ),
        ),
    );
  const acts = {
    begin: (record: string) =>
      askWho(record, ownId(), (people) =>
        ask({
          title: says.begin,
          submit: says.begin,
          bounds: bounds.create_follow_up,
          begin: { owner: '', day: '', note: '' },
          fields: {
            ...(people.length > 0 && {
              owner: { label: says.who, of: [['', says.me] as const, ...people] },
            }),
            day: { ...DAY, hint: says.dayHint, days: { min: dayFrom(0) } },
            note: { label: says.text, of: 'lines' },
          },
          send: ({ owner, day, note }) =>
            api.follow_ups.create({ record, ...(owner && { owner }), ...until(day, note) }),
          onDone,
        }),
      ),
    handOver: ({ unique_identifier: id, record, owner: now }: FollowUp, name: string) =>
      askWho(record, now ?? undefined, (people) =>
        ask({
          title: says.handOverOf(name),
          submit: says.handOver,
          hint: people.length === 0 ? says.nobodyElse : undefined,
          isReady: people.length > 0,
          bounds: bounds.hand_over_follow_up,
          begin: { owner: people[0]?.[0] ?? '', day: '', note: '' },
          fields: {
            ...(people.length > 0 && {
              owner: { label: says.who, of: people },
              day: { ...DAY, hint: says.dayKept, days: { min: dayFrom(0) } },
              note: { label: says.text, of: 'lines' },
            }),
          },
          send: ({ owner, day, note }) =>
            api.follow_ups.handOver(id, { owner, ...until(day, note) }),
          said: says.handedOver,
          onDone,
        }),
      ),
    schedule: ({ unique_identifier: id }: FollowUp, name: string) => {
      const zone = usualZone.value;
      ask({
        title: says.scheduleOf(name),
        submit: says.schedule,
        bounds: bounds.schedule_follow_up,
        begin: { next: '', note: '' },
        fields: {
          next: { label: says.next, of: 'date', needed: true, days: { min: dayFrom(1) } },
          note: { label: says.text, of: 'lines' },
        },
        send: ({ next, note }) =>
          api.follow_ups.schedule(id, {
            next_at: withOffset(momentIn(zone, next), zone),
            ...(note && { note }),
          }),
        onDone,
      });
    },
    reopen: ({ unique_identifier: id }: FollowUp) =>
      ask({
        title: says.reopen,
        submit: says.reopen,
        bounds: bounds.reopen_follow_up,
        begin: { reason: '' },
        fields: { reason: { label: texts.why, of: 'lines', needed: true } },
        send: ({ reason }) => api.follow_ups.reopen(id, reason),
        onDone,
      }),
    claim: (one: FollowUp) =>
      void perform(() => api.follow_ups.claim(one.unique_identifier), onDone),
    release: (one: FollowUp) =>
      void perform(() => api.follow_ups.release(one.unique_identifier), onDone),
    attempt: ({ unique_identifier: id }: FollowUp, name: string) =>
      ask({
        title: says.attemptOf(name),
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
    close: (one: FollowUp, outcome: Outcome, name: string): void => {
      const { unique_identifier: id } = one;
      if (outcome !== 'not_now' && outcome !== 'do_not_contact') {
        leaves(id);
        const send = () => api.follow_ups.close(id, { outcome });
        return void perform(send, () => closed(one)).then((isDone) => isDone || stays(id));
      }
      const zone = usualZone.value;
      const isLater = outcome === 'not_now';
      ask({
        title: labelled(says.outcomes[outcome], name),
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
                days: { min: dayFrom(1) },
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

/** Until then somebody is to have tried on a day. */
const END_OF_DAY = '17:00';

const DAY = { label: says.day, of: 'date' } as const;

/** People by their identifiers, each with their name. */
type People = readonly (readonly [id: string, name: string])[];

/** Until when somebody is to have tried, and a note, as far as they were typed. */
function until(day: string, note: string) {
  const zone = usualZone.value;
  return {
    ...(day && { due_at: withOffset(momentIn(zone, `${day}T${END_OF_DAY}`), zone) }),
    ...(note && { note }),
  };
}

/** The day in some days, as fields have it. */
function dayFrom(days: number): string {
  const zone = usualZone.value;
  return withOffset(midnight(zone, now(), days), zone).slice(0, 10);
}

export type FollowUpActs = ReturnType<typeof useFollowUpActs>['acts'];

export function ActsOf(props: {
  readonly one: FollowUp;
  readonly acts: FollowUpActs;
  /** Whom it is about. */
  readonly name: string;
}): JSX.Element {
  const { one, acts, name } = props;
  const isFree = one.owner === null;
  const may = isFree || isMine(one);
  return (
    <span class="acts unprinted">
      {isFree && <Button label={says.claim} of={name} onClick={() => acts.claim(one)} />}
      <ActMenu
        of={name}
        acts={[
          { may, asks: true, label: says.attempt, run: () => acts.attempt(one, name) },
          { may, asks: true, label: says.schedule, run: () => acts.schedule(one, name) },
          { may: true, asks: true, label: says.handOver, run: () => acts.handOver(one, name) },
          { may: !isFree, label: says.release, run: () => acts.release(one) },
          ...OUTCOMES.map((outcome) => ({
            may,
            under: says.close,
            asks: outcome === 'not_now' || outcome === 'do_not_contact',
            label: says.outcomes[outcome],
            run: () => acts.close(one, outcome, name),
          })),
        ]}
      />
    </span>
  );
}
