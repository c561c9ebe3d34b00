/** What a preview counted, as bars: by year and by location, what goes, what is held, and what is spared. */
import { retention as says } from 'messages';
import type { RetentionRule } from '../../../../client/src/generated/objects.d.ts';
import { number } from '../../messages.ts';
import { useLocationNames } from '../../places/locations.ts';

const shown = says.preview;

type Preview = NonNullable<RetentionRule['preview']>;
export type Counts = Pick<Preview, 'goes' | 'held' | 'spared'>;

/** In the order in which they stand in a bar. */
export const KINDS = ['goes', 'held', 'spared'] as const;
/** More bars are one. */
const MOST = 12;

export function Bars({ of: { counts } }: { readonly of: Preview }): JSX.Element | null {
  const names = useLocationNames();
  const years = summed(counts, ({ year }) => String(year)).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const places = summed(counts, ({ location }) =>
    location === null ? shown.others : (names.get(location) ?? location),
  ).sort(([, one], [, other]) => sumOf(other) - sumOf(one));
  return (
    <>
      <Group title={shown.byYear} rows={few(years.toReversed(), '…').toReversed()} />
      {places.length > 1 && <Group title={shown.byLocation} rows={few(places, shown.others)} />}
    </>
  );
}

function Group(props: {
  readonly title: string;
  readonly rows: readonly (readonly [label: string, counts: Counts])[];
}): JSX.Element {
  const { title, rows } = props;
  const most = Math.max(...rows.map(([, counts]) => sumOf(counts)), 1);
  return (
    <section class="count-bars">
      <h3>{title}</h3>
      <ul>
        {rows.map(([label, counts]) => (
          <li key={label}>
            <span aria-hidden="true">{label}</span>
            <span
              class="bar"
              role="img"
              aria-label={barText(label, counts)}
              title={barText(label, counts)}
            >
              {KINDS.map((kind) => (
                <span
                  key={kind}
                  class={kind}
                  style={{ width: `${(counts[kind] / most) * 100}%` }}
                />
              ))}
            </span>
            <span aria-hidden="true">{number(counts.goes)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function barText(label: string, { goes, held, spared }: Counts): string {
  return shown.bar({
    label,
    goes: number(goes),
    held: number(held),
    spared: number(spared),
  });
}

function sumOf({ goes, held, spared }: Counts): number {
  return goes + held + spared;
}

function summed(
  counts: Preview['counts'],
  labelOf: (one: Preview['counts'][number]) => string,
): (readonly [string, Counts])[] {
  return [...Map.groupBy(counts, labelOf)].map(([label, some]) => [label, together(some)] as const);
}

/** The first of them, and all others as one. */
function few(
  rows: readonly (readonly [string, Counts])[],
  others: string,
): readonly (readonly [string, Counts])[] {
  const [first, rest] = [rows.slice(0, MOST), rows.slice(MOST)];
  if (rest.length === 0) return rows;
  return [...first, [others, together(rest.map(([, counts]) => counts))]];
}

function together(some: readonly Counts[]): Counts {
  const sum = (kind: keyof Counts): number => some.reduce((all, one) => all + one[kind], 0);
  return { goes: sum('goes'), held: sum('held'), spared: sum('spared') };
}
