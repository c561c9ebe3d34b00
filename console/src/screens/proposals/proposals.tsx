/** What systems send for fields that staff corrected, to be decided one by one. */

import { feeds, record as pinsSay, proposals as says, page as texts } from 'messages';
import type { Proposal } from '../../../../client/src/generated/objects.d.ts';
import { toJson } from '../../../../client/src/json.ts';
import { useLoad } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { acts, folded, Listed, named, PAGE } from '../../parts/listed.tsx';
import { say } from '../../parts/notice.tsx';
import type { Column } from '../../parts/table.tsx';
import { chosenLocation } from '../../places/locations.ts';
import { zoneOf } from '../../places/zones.ts';
import { resourceNamed } from '../../records/description.ts';
import { nameOf } from '../../records/key-names.ts';
import type { Json } from '../../records/records.ts';
import { hrefOf, query } from '../../router.ts';
import { api } from '../../service/api.ts';
import { useFollowed } from '../../service/live.ts';
import { may } from '../../service/session.ts';
import { unturned } from '../../values/format.ts';
import { Time } from '../../values/value.tsx';
import { Decisions, memberBecame } from '../record/pins.tsx';

/** Any record may be decided on meanwhile. */
const PAUSE_MS = 10_000;

export function ProposalsScreen(): JSX.Element {
  const starting_after = query.value.get('starting_after') ?? undefined;
  const params = { location: chosenLocation.value, starting_after, limit: PAGE };
  const { busy, fault, perform } = useActions();
  const list = useLoad(`proposals ${toJson(params)}`, (signal) =>
    api.proposals.list(params, { signal }).page(),
  );
  const { reload } = list;
  useFollowed(PAUSE_MS, reload);
  const decide = (work: () => Promise<unknown>): void =>
    void perform(work, () => say(pinsSay.pins.decided)).then(reload);
  return (
    <Listed
      title={texts.nav.proposals}
      about={says.about}
      above={fault}
      of={list}
      none={{ title: says.none, hint: says.noneHint }}
      columns={columns(busy, decide)}
      hrefOf={({ resource, record }) =>
        hrefOf(`${resourceNamed(resource)?.path ?? resource}/${record}`)
      }
    />
  );
}

function nameOfProposal({ name, external_identifier }: Proposal): string {
  return unturned(name ?? external_identifier);
}

function columns(
  busy: boolean,
  onDecide: (work: () => Promise<unknown>) => void,
): readonly Column<Proposal>[] {
  const wordsOf = (proposal: Proposal) => {
    const resource = resourceNamed(proposal.resource);
    const { member } = proposal;
    const [before, after] = [proposal.stored as Json, proposal.proposed as Json];
    return resource === undefined
      ? { label: member, before: String(before), after: String(after) }
      : memberBecame(resource, undefined, { member, before, after });
  };
  return [
    { label: texts.record.name, class: 'name', cell: nameOfProposal },
    folded(texts.what, ({ resource }) => resourceNamed(resource)?.singular ?? resource),
    named(feeds.field, (one) => wordsOf(one).label),
    {
      label: `${says.ours} / ${says.theirs}`,
      class: 'whole',
      cell: (one) => (
        <span class="compared">
          <span>
            <small>{says.ours}</small> {wordsOf(one).before || pinsSay.empty}
          </span>
          <span>
            <small>{says.theirs}</small> {wordsOf(one).after || pinsSay.empty}
          </span>
        </span>
      ),
    },
    {
      label: says.sent,
      class: 'time',
      folds: true,
      cell: ({ proposed_at, proposed_by, location }) => (
        <>
          <Time at={proposed_at} zone={zoneOf(location ?? undefined)} />{' '}
          {proposed_by !== null && <small>{texts.record.by(nameOf(proposed_by))}</small>}
        </>
      ),
    },
    ...(may('write')
      ? [
          acts(
            (one: Proposal) => (
              <Decisions
                proposal={one}
                label={`${nameOfProposal(one)}, ${wordsOf(one).label}`}
                busy={busy}
                onDecide={onDecide}
              />
            ),
            says.decide,
          ),
        ]
      : []),
  ];
}
