/** What a rule would remove: the numbers, and as bars what goes, what is held, and what is spared. */
import { retention as says } from 'messages';
import type { RetentionRule } from '../../../../client/src/generated/objects.d.ts';
import { now } from '../../clock.ts';
import { locale, number } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { useLocationNames } from '../../places/locations.ts';
import { resourceNamed } from '../../records/description.ts';
import { Time } from '../../values/value.tsx';

const shown = says.preview;
const DAY_MS = 86_400_000;
const list = new Intl.ListFormat(locale, { type: 'conjunction' });

/** Whether the rule may be enabled by it. */
export function isFresh(preview: RetentionRule['preview']): boolean {
  return preview?.status === 'ready' && now() - Date.parse(preview.at) < DAY_MS;
}

interface PreviewProps {
  readonly of: RetentionRule;
  readonly busy: boolean;
  readonly onLook: () => void;
}

export function Preview({ of, busy, onLook }: PreviewProps): JSX.Element {
  const { preview, status, last_run, enabled_at } = of;
  const isReady = preview?.status === 'ready';
  const isBefore = isReady && last_run !== null && preview.at < (enabled_at ?? '');
  return (
    <section class="preview">
      <header>
        <h2>{shown.title}</h2>
        {isReady && (
          <small class="quiet">
            <Time at={preview.at} />
          </small>
        )}
        {isReady && (
          <Button class="link plain" label={shown.again} disabled={busy} onClick={onLook} />
        )}
      </header>
      {preview === null && (
        <>
          <p class="hint">{shown.none}</p>
          <Button class="main" label={shown.look} disabled={busy} onClick={onLook} />
        </>
      )}
      {preview !== null && !isReady && (
        <p class="looking" role="status">
          {shown.counting}
        </p>
      )}
      {isReady && status !== 'enabled' && !isFresh(preview) && <p class="warned">{shown.old}</p>}
      {isBefore && <p class="hint">{shown.before}</p>}
      {isReady && <Numbers of={preview} />}
      {isReady && preview.counts.length > 0 && <Bars of={preview} />}
    </section>
  );
}

function Numbers({ of }: { readonly of: Counted }): JSX.Element {
  const { below, soon } = of;
  const with_ = Object.entries(below).map(([name, count]) => {
    const resource = resourceNamed(name);
    const called = (count === 1 ? resource?.singular : resource?.plural) ?? name;
    return `${number(count)} ${called}`;
  });
  const isNothing = KINDS.every((kind) => of[kind] === 0);
  return (
    <>
      {isNothing && <p>{shown.nothing}</p>}
      {!isNothing && (
        <ul class="counted">
          {KINDS.map((kind) => (
            <li key={kind} class={kind}>
              <strong>{number(of[kind])}</strong> {shown[kind]}
              <small class="quiet">{shown.hints[kind]}</small>
            </li>
          ))}
        </ul>
      )}
      {with_.length > 0 && <p>{shown.below(list.format(with_))}</p>}
      {soon > 0 && <p class="hint">{shown.soon(number(soon))}</p>}
    </>
  );
}

type Counted = NonNullable<RetentionRule['preview']>;
type Counts = Pick<Counted, 'goes' | 'held' | 'spared'>;

/** In the order in which they stand in a bar. */
const KINDS = ['goes', 'held', 'spared'] as const;
/** More bars are one. */
const MOST = 12;

function Bars({ of: { counts } }: { readonly of: Counted }): JSX.Element | null {
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

type Row = readonly [label: string, counts: Counts];

function Group(props: { readonly title: string; readonly rows: readonly Row[] }): JSX.Element {
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
  return shown.bar({ label, goes: number(goes), held: number(held), spared: number(spared) });
}

function sumOf({ goes, held, spared }: Counts): number {
  return goes + held + spared;
}

function summed(counts: Counted['counts'], labelOf: (one: Counted['counts'][number]) => string) {
  return [...Map.groupBy(counts, labelOf)].map(([label, some]) => [label, together(some)] as const);
}

/** The first of them, and all others as one. */
function few(rows: readonly Row[], others: string): readonly Row[] {
  const [first, rest] = [rows.slice(0, MOST), rows.slice(MOST)];
  if (rest.length === 0) return rows;
  return [...first, [others, together(rest.map(([, counts]) => counts))]];
}

function together(some: readonly Counts[]): Counts {
  const sum = (kind: keyof Counts): number => some.reduce((all, one) => all + one[kind], 0);
  return { goes: sum('goes'), held: sum('held'), spared: sum('spared') };
}
