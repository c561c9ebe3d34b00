/** The requests of people to be forgotten: those to do by the day on which they are due, then those that are finished. */
import { privacy as says, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import type { Erasure } from '../../../../client/src/generated/objects.d.ts';
import { now } from '../../clock.ts';
import { useLoad } from '../../load.ts';
import { amounts, Listed, PAGE, statuses, Titled, times } from '../../parts/listed.tsx';
import { type Column, idOf } from '../../parts/table.tsx';
import { go, hrefOf, query, setQuery } from '../../router.ts';
import { api } from '../../service/api.ts';
import { agoText, dayOnPaper, dayText } from '../../values/format.ts';
import { Begin } from './begin.tsx';

export function Requests({ path }: { readonly path: string }): JSX.Element {
  /** A record from which a person was led here. */
  const record = query.value.get('record') ?? undefined;
  const [beginning, setBeginning] = useState(record !== undefined);
  const starting_after = query.value.get('starting_after') ?? undefined;
  const list = useLoad(`erasures ${starting_after}`, (signal) => load(starting_after, signal));
  const tableOf = (
    caption: string,
    rows: readonly Erasure[],
    columns: readonly Column<Erasure>[],
  ): JSX.Element => (
    <Titled
      caption={caption}
      columns={columns}
      rows={rows}
      hrefOf={(one) => hrefOf(`${path}/${idOf(one)}`)}
      busy={list.busy}
    />
  );
  return (
    <>
      <Listed
        title={texts.nav.privacy}
        about={says.about}
        of={list}
        none={{ title: says.none, hint: says.noneHint }}
        add={[says.begin, () => setBeginning(true)]}
      >
        {(all) => (
          <>
            {tableOf(says.open, all.filter(isOpen), COLUMNS)}
            {tableOf(
              says.ended,
              all.filter((one) => !isOpen(one)),
              ENDED,
            )}
          </>
        )}
      </Listed>
      {beginning && (
        <Begin
          record={record}
          onClose={() => {
            setBeginning(false);
            setQuery({ record: undefined }, { instead: true });
          }}
          onBegun={(begun) => go(hrefOf(`${path}/${idOf(begun)}`))}
        />
      )}
    </>
  );
}

/** All that are to do, the first due first, and those that are finished by the page. */
async function load(starting_after: string | undefined, signal: AbortSignal) {
  const [open, ended] = await Promise.all([
    starting_after === undefined
      ? Array.fromAsync(api.erasures.list({ open: true }, { signal }))
      : [],
    api.erasures.list({ open: false, limit: PAGE, starting_after }, { signal }).page(),
  ]);
  const byDue = open.sort((one, other) => (one.due_at < other.due_at ? -1 : 1));
  return { ...ended, data: [...byDue, ...ended.data] };
}

const COLUMNS: readonly Column<Erasure>[] = [
  { label: says.request, class: 'name', cell: nameOf },
  statuses(says.statuses),
  {
    label: says.due,
    folds: (one) => <Due of={one} />,
    cell: (one) => <Due of={one} isNamed />,
  },
  times(says.received, ({ received_at }) => dayText(new Date(received_at))),
  amounts(says.found, ({ matches }) => matches.length),
  amounts(says.erased, ({ erased }) => erased),
];

const ENDED = COLUMNS.filter(({ label }) => label !== says.due);

/** By when it is to be done; nothing more once it is. */
export function Due(props: {
  readonly of: Erasure;
  /** Whether it stands below a label. */
  readonly isNamed?: boolean;
}): JSX.Element | null {
  const { of, isNamed = false } = props;
  const ago = agoText(of.due_at);
  if (!isOpen(of)) return null;
  const day = dayText(new Date(of.due_at));
  if (isOverdue(of)) return <span class="status overdue">{says.overdue(day)}</span>;
  return <>{isNamed ? `${day}, ${ago}` : says.dueBy({ day, when: ago })}</>;
}

export function nameOf({ reference, received_at }: Erasure): string {
  return reference ?? says.of(dayOnPaper(received_at));
}

function isOpen({ status }: Erasure): boolean {
  return status !== 'done' && status !== 'closed';
}

function isOverdue(one: Erasure): boolean {
  return isOpen(one) && Date.parse(one.due_at) < now();
}

/** Whether a name that is spelt nearly so is all that it was found by. */
export function isSimilar({ reasons }: Erasure['matches'][number]): boolean {
  return reasons.every((reason) => reason === 'similar_name');
}
