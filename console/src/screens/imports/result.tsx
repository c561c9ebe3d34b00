/** The result of an import or of its dry run, with the refused rows. */
import { imports as says, page as texts } from 'messages';
import type { Ref } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLoad } from '../../load.ts';
import { Button } from '../../parts/button.tsx';
import { csvFile, download } from '../../parts/download.ts';
import { Form } from '../../parts/form.tsx';
import type { Option } from '../../parts/select.tsx';
import { Table } from '../../parts/table.tsx';
import { anchor } from '../../records/description.ts';
import { type Shown, titleOf } from '../../records/records.ts';
import { listed } from '../../service/api.ts';
import { refusedFile, refusedRows } from './refused.ts';
import type { Counts, Outcome } from './service.ts';

interface ResultProps {
  readonly outcome: Outcome;
  readonly name: string;
  /** Else it was only checked. */
  readonly done: boolean;
  readonly busy: boolean;
  readonly onImport: () => void;
  /** The person has said which locations are meant. */
  readonly onChosen: (chosen: Readonly<Record<string, string>>) => void;
  readonly onBack: () => void;
  readonly onAgain: () => void;
}

export function Result(props: ResultProps): JSX.Element {
  const { outcome, name, done, busy, onImport, onChosen, onBack, onAgain } = props;
  const { counts, rejected } = outcome;
  const changes = counts.created + counts.updated;
  const { twice: { count: again = 0, examples: [[row, earlier] = [0, 0]] = [] } = {} } = outcome;
  const heading = useSeen<HTMLHeadingElement>(outcome);
  return (
    <section class="stack import-result" aria-label={done ? texts.done : says.wouldBe}>
      <h2 ref={heading} tabIndex={-1}>
        {done ? (outcome.done ? texts.done : says.stopped) : says.wouldBe}
      </h2>
      <CountList counts={counts} />
      {again > 0 && <p class="hint">{says.twice({ count: again, row, earlier })}</p>}
      {counts.failed > 0 && (
        <>
          <h3>{says.refused}</h3>
          <Refused text={rejected} count={counts.failed - (outcome.cut ?? 0)} name={name} />
          {outcome.cut !== undefined && <p class="hint">{says.cut(outcome.cut)}</p>}
        </>
      )}
      {!done && outcome.unplaced !== undefined && (
        <Places unplaced={outcome.unplaced} busy={busy} onChosen={onChosen} />
      )}
      {!done && changes === 0 && <p class="hint">{says.nothing}</p>}
      <footer class="actions">
        {done ? (
          <Button label={says.again} onClick={onAgain} />
        ) : (
          <>
            <Button
              class="main"
              label={says.import(changes)}
              disabled={busy || changes === 0}
              onClick={onImport}
            />
            <Button class="plain" label={says.back} disabled={busy} onClick={onBack} />
          </>
        )}
      </footer>
    </section>
  );
}

export function CountList({ counts }: { readonly counts: Counts }): JSX.Element {
  const { created, updated, unchanged, failed } = counts;
  return (
    <ul class="line counts">
      <li class={created === 0 ? 'quiet' : 'good'}>{says.created(created)}</li>
      <li class={updated === 0 ? 'quiet' : undefined}>{says.updated(updated)}</li>
      <li class="quiet">{says.unchanged(unchanged)}</li>
      {failed > 0 && <li class="bad">{says.failed(failed)}</li>}
    </ul>
  );
}

export function Refused(props: {
  readonly text: string;
  readonly count: number;
  readonly name: string;
}): JSX.Element {
  const { text, count, name } = props;
  const file = refusedFile(text);
  const rows = refusedRows(file);
  return (
    <div class="stack import-refused">
      <Table
        caption={says.refused}
        columns={[
          { label: says.line, class: 'number', cell: ([number]) => number },
          { label: texts.why, class: 'why', cell: ([, why]) => why },
        ]}
        rows={rows}
        keyOf={([number]) => number}
      />
      {count > rows.length && <p class="hint">{says.more(count - rows.length)}</p>}
      <p>
        <Button
          label={says.download}
          onClick={() => download(csvFile(file), `${name}.rejected.csv`)}
        />{' '}
        <span class="hint">{says.downloadHint}</span>
      </p>
    </div>
  );
}

const MAX_LOCATIONS = 1000;

interface PlacesProps {
  readonly unplaced: readonly string[];
  readonly busy: boolean;
  readonly onChosen: (chosen: Readonly<Record<string, string>>) => void;
}

/** Asks which locations are meant by names that mean none, or several. */
function Places({ unplaced, busy, onChosen }: PlacesProps): JSX.Element | null {
  const { value } = useLoad('locations and their identifiers', (signal) =>
    listed(anchor?.path ?? '', { limit: MAX_LOCATIONS, expand: ['identifiers'] }, signal),
  );
  if (anchor === undefined || value === undefined) return null;
  const of = [['', says.refuse] as const, ...namesOf(value.data)];
  return (
    <Form
      class="fields import-places"
      isSmall
      hint={
        <div>
          <h3>{says.places(anchor.singular.toLowerCase())}</h3>
          <p class="hint">{says.placeHint}</p>
        </div>
      }
      begin={Object.fromEntries(unplaced.map((cell) => [cell, '']))}
      fields={Object.fromEntries(unplaced.map((cell) => [cell, { label: cell, of }]))}
      submit={says.checkAgain}
      isReady={(typed) => !busy && Object.values(typed).some((id) => id !== '')}
      send={async (typed) =>
        Object.fromEntries(Object.entries(typed).filter(([, id]) => id !== ''))
      }
      onDone={onChosen}
    />
  );
}

/** By identifier; those of one name with their own identifiers, too. */
function namesOf(locations: readonly Shown[]): readonly Option[] {
  const resource = anchor;
  if (resource === undefined) return [];
  const named = locations.map((one) => [one, titleOf(resource, one)] as const);
  const counts = Map.groupBy(named, ([, name]) => name);
  return named.map(([one, name]) => {
    const isOnly = counts.get(name)?.length === 1;
    return [one.unique_identifier, isOnly ? name : `${name} · ${ownOf(one)}`];
  });
}

function ownOf({ unique_identifier, identifiers }: Shown): string {
  const own = identifiers as Readonly<Record<string, string>> | undefined;
  return own?.external_identifier ?? unique_identifier;
}

/** For an element with `tabIndex`; again whenever `what` changes. */
export function useSeen<E extends HTMLElement>(what: unknown): Ref<E> {
  const element = useRef<E>(null);
  useEffect(() => {
    if (what === undefined) return;
    element.current?.focus({ preventScroll: true });
    element.current?.scrollIntoView({ block: 'start' });
  }, [what]);
  return element;
}
