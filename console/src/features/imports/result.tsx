/** The last step: what the import would do, and what it has done. */
import { imports as says, page as texts } from 'messages';
import type { Ref } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { csvFile, download } from '../../parts/download.ts';
import { Table } from '../../parts/table.tsx';
import { type DescribedResource, fieldOf } from '../../records/description.ts';
import { targetLabel } from '../../refusals.ts';
import { textOfValue } from '../../values/value.tsx';
import type { FixKind } from './fix/kinds.ts';
import { Noticed } from './fix/noticed.tsx';
import { refusedFile, refusedRows } from './refused.ts';
import type { Counts, Outcome } from './service.ts';

interface ResultProps {
  readonly outcome: Outcome;
  readonly resource: DescribedResource;
  /** Time zone of the file, where none is that of a location. */
  readonly zone: string | undefined;
  readonly name: string;
  /** How values are read, and which rows name one record. */
  readonly told: readonly FixKind[];
  /** Else it was only checked. */
  readonly done: boolean;
  readonly busy: boolean;
  readonly onImport: () => void;
  /** Whether the step before is that of the columns. */
  readonly isClear: boolean;
  readonly onBack: () => void;
  readonly onAgain: () => void;
  /** Left out where nothing was imported. */
  readonly onUndo: (() => void) | undefined;
}

export function Result(props: ResultProps): JSX.Element {
  const { outcome, name, told, done, busy, onImport, isClear, onBack, onAgain, onUndo } = props;
  const { counts, rejected } = outcome;
  const changes = counts.created + counts.updated;
  const heading = useSeen<HTMLHeadingElement>(outcome);
  return (
    <section class="stack import-result" aria-label={done ? texts.done : says.wouldBe}>
      <h2 ref={heading} tabIndex={-1}>
        {done ? (outcome.done ? texts.done : says.stopped) : says.wouldBe}
      </h2>
      <CountList counts={counts} />
      <Noticed of={outcome} />
      {!done &&
        told.map(({ key, is, title }) => (
          <p key={key} class={`noticed ${is === 'people' ? 'fault' : 'hint'}`}>
            {title}
          </p>
        ))}
      {!done && <Changes {...props} />}
      {counts.failed > 0 && (
        <>
          <h3>{says.refused}</h3>
          <Refused text={rejected} count={counts.failed - (outcome.cut ?? 0)} name={name} />
          {outcome.cut !== undefined && <p class="hint">{says.cut(outcome.cut)}</p>}
        </>
      )}
      {!done && changes === 0 && <p class="hint">{says.nothing}</p>}
      <footer class="actions">
        {done ? (
          <>
            <Button class="main" label={says.again} onClick={onAgain} />
            {onUndo !== undefined && <Button label={says.undoThis} asks onClick={onUndo} />}
          </>
        ) : (
          <>
            <Button
              class="main"
              label={says.import(changes)}
              disabled={busy || changes === 0}
              onClick={onImport}
            />
            <Button
              class="plain"
              label={isClear ? says.back : says.backToFix}
              disabled={busy}
              onClick={onBack}
            />
          </>
        )}
      </footer>
    </section>
  );
}

/** What the first rows change, field by field. */
function Changes({ outcome, resource, zone }: ResultProps): JSX.Element | null {
  const rows = (outcome.changes ?? []).flatMap(({ row, of: who, fields }) =>
    fields.map((field, nth) => ({
      ...field,
      who: nth === 0 ? says.changedIn({ of: who, row }) : '',
      row,
    })),
  );
  if (rows.length === 0) return null;
  const cell = (name: string, text: string) =>
    text === '' ? <span class="quiet">{says.empty_value}</span> : said(name, text);
  const said = (name: string, text: string): string => {
    const field = fieldOf(resource, name);
    if (field?.kind === 'boolean') return textOfValue(text === 'true', field);
    return textOfValue(text, field, zone);
  };
  return (
    <>
      <h3>{says.changes}</h3>
      <Table
        caption={says.changes}
        columns={[
          { label: says.fix.who, cell: ({ who }) => who },
          { label: says.fieldChanged, cell: (field) => targetLabel(field) },
          { label: says.before, class: 'whole', cell: ({ name, from }) => cell(name, from) },
          { label: says.after, class: 'whole', cell: ({ name, to }) => cell(name, to) },
        ]}
        rows={rows}
        keyOf={({ row, name }) => `${row} ${name}`}
      />
    </>
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

export function Download(props: { readonly text: string; readonly name: string }): JSX.Element {
  const { text, name } = props;
  return (
    <Button
      label={says.download}
      onClick={() => download(csvFile(refusedFile(text)), `${name}.rejected.csv`)}
    />
  );
}

export function Refused(props: {
  readonly text: string;
  readonly count: number;
  readonly name: string;
}): JSX.Element {
  const { text, count, name } = props;
  const rows = refusedRows(refusedFile(text));
  return (
    <div class="stack import-refused">
      <Table
        caption={says.refused}
        columns={[
          { label: says.line, class: 'row-number', cell: ([number]) => number },
          { label: texts.why, class: 'why', cell: ([, why]) => why },
        ]}
        rows={rows}
        keyOf={([number]) => number}
      />
      {count > rows.length && <p class="hint">{says.more(count - rows.length)}</p>}
      <p>
        <Download text={text} name={name} /> <span class="hint">{says.downloadHint}</span>
      </p>
    </div>
  );
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
