/** The second step: not a list of rows but of kinds, each with its choice and a grid of its rows. */
import { imports as says } from 'messages';
import { useState } from 'preact/hooks';
import { Button } from '../../../parts/button.tsx';
import type { DescribedResource } from '../../../records/description.ts';
import { Download, useSeen } from '../result.tsx';
import type { FileOptions, Look, Outcome } from '../service.ts';
import { Grid, placeOf } from './grid.tsx';
import { type FixKind, type KindRow, kindsIn, MOST_ROWS, refusedIn, stateOf } from './kinds.ts';
import { Reading } from './noticed.tsx';
import { Places } from './places.tsx';

export interface FixProps {
  readonly look: Look;
  readonly resource: DescribedResource;
  readonly options: FileOptions;
  readonly outcome: Outcome;
  /** The kinds that were there at any time so far. */
  readonly seen: readonly FixKind[];
  readonly judging: boolean;
  /** Something is said otherwise: the rows are judged again. */
  readonly onSaid: (change: Partial<FileOptions>) => void;
  readonly onGo: () => void;
  readonly onBack: () => void;
}

export function Fix(props: FixProps): JSX.Element {
  const { look, resource, options, outcome, seen, judging, onSaid, onGo, onBack } = props;
  const { counts, unplaced = [], undecided = [], rejected } = outcome;
  const heading = useSeen<HTMLHeadingElement>(look);
  const refused = refusedIn({ look, resource, options, outcome });
  const now = kindsIn({ look, resource, options, outcome }, refused);
  const ready = counts.created + counts.updated + counts.unchanged;
  // What was chosen stays, so that it can be chosen otherwise.
  const chosen = Object.keys(options.chosen ?? {});
  const [cells] = useState(() => new Set<string>());
  const [identifiers] = useState(() => new Set<string>());
  for (const cell of unplaced) cells.add(cell);
  for (const cell of undecided) identifiers.add(cell);
  for (const cell of chosen) if (!identifiers.has(cell)) cells.add(cell);
  const choose = (cell: string, id: string): void => {
    const { [cell]: _, ...others } = options.chosen ?? {};
    onSaid({ chosen: id === '' ? others : { ...others, [cell]: id } });
  };
  const places = { options, onChosen: choose };
  const order = seen.filter(({ count }) => count > 0);
  const mended = seen.filter(({ count }) => count === 0);
  return (
    <section class="stack import-fix" aria-label={says.fix.title}>
      <h2 ref={heading} tabIndex={-1}>
        {says.fix.title}
      </h2>
      <p class="line counts" aria-live="polite">
        <span class={ready > 0 ? 'good' : 'quiet'}>{says.fix.ready(ready)}</span>
        {counts.failed > 0 && <span class="bad">{says.fix.left(counts.failed)}</span>}
        {judging && <span class="quiet">{says.fix.judging}</span>}
      </p>
      {seen.length + cells.size + identifiers.size === 0 && <p>{says.fix.clear}</p>}
      <ul class="kinds">
        {cells.size > 0 && (
          <Places
            cells={[...cells]}
            title={says.fix.places(cells.size)}
            hint={says.fix.placesHint}
            adds
            {...places}
          />
        )}
        {identifiers.size > 0 && (
          <Places
            cells={[...identifiers]}
            title={says.fix.undecided(identifiers.size)}
            hint={says.fix.undecidedHint}
            adds={false}
            {...places}
          />
        )}
        {[...order, ...mended].map((kind) => (
          <Kind
            key={kind.key}
            kind={kind}
            now={now.find(({ key }) => key === kind.key)}
            refused={refused}
            look={look}
            options={options}
            busy={judging}
            onSaid={onSaid}
          />
        ))}
      </ul>
      {counts.failed > 0 && (
        <p>
          <Download text={rejected} name={options.name} />{' '}
          <span class="hint">{says.fix.stays}</span>
        </p>
      )}
      <footer class="actions">
        <Button class="main" label={says.fix.go} disabled={judging} onClick={onGo} />
        <Button class="plain" label={says.back} onClick={onBack} />
      </footer>
    </section>
  );
}

interface KindProps {
  readonly kind: FixKind;
  /** As it is by the last check; left out, where it is fixed. */
  readonly now: FixKind | undefined;
  readonly refused: Parameters<typeof kindsIn>[1];
  readonly look: Look;
  readonly options: FileOptions;
  readonly busy: boolean;
  readonly onSaid: FixProps['onSaid'];
}

function Kind({ kind, now, refused, look, options, busy, onSaid }: KindProps): JSX.Element {
  const { is, title, examples, count, columns, rows } = kind;
  const [open, setOpen] = useState(is === 'people');
  const state = stateOf(kind, options);
  const isMended = ({ row }: KindRow): boolean => {
    if (is === 'people' || is === 'twice') return !now?.rows.some((one) => one.row === row);
    return !refused.has(row) || columns.length > 0;
  };
  const edits = columns.length > 0 && rows.length > 0;
  return (
    <li class={`kind ${state}`}>
      <h3>{title}</h3>
      <p class="line hint">
        {count === 0 ? (
          <span class="good">✓ {says.fix.mended}</span>
        ) : (
          is === 'refused' && <span class="tag bad">{says.fix.rows(count)}</span>
        )}
        {is === 'refused' && examples.length > 0 && (
          <span>{says.fix.such(examples.map((one) => `“${one}”`).join(', '))}</span>
        )}
      </p>
      <Reading kind={kind} look={look} options={options} onChoose={onSaid} />
      {is === 'refused' && !edits && <p class="hint">{says.fix.back}</p>}
      {edits && (
        <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{says.fix.show(rows.length)}</summary>
          {open && (
            <>
              <Grid
                kind={kind}
                options={options}
                refused={refused}
                isMended={isMended}
                busy={busy}
                onCell={(row, column, text) =>
                  onSaid({ cells: { ...options.cells, [placeOf(row, column)]: text } })
                }
              />
              {count > MOST_ROWS && rows.length >= MOST_ROWS && (
                <p class="hint">{says.fix.first(MOST_ROWS)}</p>
              )}
            </>
          )}
        </details>
      )}
    </li>
  );
}
