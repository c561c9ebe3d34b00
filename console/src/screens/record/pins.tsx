/** What staff corrected of a record, what the source says now, and who decides from here on. */
import { record as says } from 'messages';
import type { Pin, Proposal } from '../../../../client/src/generated/objects.d.ts';
import { useLoad } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { say } from '../../parts/notice.tsx';
import { zoneOfRecord } from '../../places/homes.ts';
import type { DescribedResource } from '../../records/description.ts';
import { nameFirst } from '../../records/key-names.ts';
import type { Json, OfRecord, Shown } from '../../records/records.ts';
import { api, etagOf, recordsOf } from '../../service/api.ts';
import { may } from '../../service/session.ts';
import { labelled } from '../../values/format.ts';
import { Time } from '../../values/value.tsx';
import { becameBy, FromTo } from './became.tsx';

interface PinsProps extends OfRecord {
  /** Called when the record may have changed. */
  readonly onDecided: () => void;
}

export function Pins({ resource, record, onDecided }: PinsProps): JSX.Element | null {
  const { unique_identifier: id } = record;
  const records = recordsOf(resource.path);
  const { value, reload } = useLoad(`pins of ${id} at ${etagOf(record)}`, async (signal) => {
    const pins = await records.pins(id, { signal });
    const isProposed = pins.some(({ proposal }) => proposal !== null);
    const proposals = isProposed
      ? (await api.proposals.list({ record: id }, { signal }).page()).data
      : [];
    return { pins, proposals };
  });
  const { busy, fault, perform } = useActions();
  const decide = (work: () => Promise<unknown>): void =>
    void perform(work, () => {
      say(says.pins.decided);
      onDecided();
    }).then(reload);
  if (value === undefined || value.pins.length === 0) return null;
  return (
    <section class="pins" aria-label={says.pins.title}>
      <h2>{says.pins.title}</h2>
      <p class="quiet">{says.pins.about}</p>
      {fault}
      <ul>
        {value.pins.map((pin) => (
          <One
            key={pin.member}
            resource={resource}
            record={record}
            pin={pin}
            proposal={value.proposals.find(
              ({ unique_identifier }) => unique_identifier === pin.proposal,
            )}
            busy={busy}
            onLift={() => decide(() => records.removePin(id, pin.member))}
            onDecide={decide}
          />
        ))}
      </ul>
    </section>
  );
}

function One(
  props: Omit<PinsProps, 'onDecided'> & {
    readonly pin: Pin;
    readonly proposal: Proposal | undefined;
    readonly busy: boolean;
    readonly onLift: () => void;
    readonly onDecide: (work: () => Promise<unknown>) => void;
  },
): JSX.Element {
  const { resource, record, pin, proposal, busy, onLift, onDecide } = props;
  const { member, pinned_by, pinned_at } = pin;
  const supplied = pin.supplied as Json;
  const stored = pin.stored as Json;
  const corrected = memberBecame(resource, record, { member, before: supplied, after: stored });
  return (
    <li>
      <p>
        <strong>{labelled(corrected.label)}</strong> <FromTo {...corrected} />
        <small>
          {says.pins.by(pinned_by === null ? says.somebody : nameFirst(pinned_by))},{' '}
          <Time at={pinned_at} within zone={zoneOfRecord(record)} />
        </small>
      </p>
      {proposal !== undefined && (
        <ProposedHere {...{ resource, record, proposal, busy, onDecide }} />
      )}
      {may('write') && (
        <Button
          label={says.pins.lift}
          of={corrected.label}
          class="plain link"
          disabled={busy}
          onClick={onLift}
        />
      )}
    </li>
  );
}

interface ProposedProps extends Omit<PinsProps, 'onDecided'> {
  readonly proposal: Proposal;
  readonly busy: boolean;
  readonly onDecide: (work: () => Promise<unknown>) => void;
}

function ProposedHere({ resource, record, proposal, busy, onDecide }: ProposedProps): JSX.Element {
  const { member, proposed_by, proposed_at } = proposal;
  const proposed = proposal.proposed as Json;
  const { label, after } = memberBecame(resource, record, {
    member,
    before: null,
    after: proposed,
  });
  return (
    <p class="proposed">
      <span>
        {says.pins.now(proposed_by === null ? says.pins.source : nameFirst(proposed_by))}{' '}
        <strong>{after || says.empty}</strong>
        <small>
          <Time at={proposed_at} within zone={zoneOfRecord(record)} />
        </small>
      </span>
      {may('write') && <Decisions {...{ proposal, label, busy, onDecide }} />}
    </p>
  );
}

/** The two ways to decide about a proposal; `label` is what it is for. */
export function Decisions(
  props: Pick<ProposedProps, 'proposal' | 'busy' | 'onDecide'> & {
    readonly label: string;
  },
): JSX.Element {
  const { proposal, label, busy, onDecide } = props;
  const { unique_identifier: id } = proposal;
  const ways = [
    [says.pins.keep, () => api.proposals.keep(id)],
    [says.pins.accept, () => api.proposals.accept(id)],
  ] as const;
  return (
    <span class="pair">
      {ways.map(([name, work]) => (
        <Button key={name} label={name} of={label} disabled={busy} onClick={() => onDecide(work)} />
      ))}
    </span>
  );
}

/** `member` is named as callers send it. */
export function memberBecame(
  resource: DescribedResource,
  record: Shown | undefined,
  {
    member,
    before,
    after,
  }: { readonly member: string; readonly before: Json; readonly after: Json },
): ReturnType<typeof becameBy>[number] {
  const [first] = member.split('.');
  const isPublic = resource.fields.some(({ at }) => at[0] === 'public_data' && at[1] === first);
  const named = { member: isPublic ? `public_data.${member}` : member, before, after };
  return becameBy(resource, record, [named])[0] ?? { label: member, before: '', after: '' };
}
