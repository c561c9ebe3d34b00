/** Another person has changed the record: shows the old values, theirs, and what you typed, field by field. */
import { record as history, edit as says, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Submitted } from '../../parts/form.tsx';
import { Fault } from '../../parts/loading.tsx';
import { Table } from '../../parts/table.tsx';
import type { DescribedField, DescribedResource } from '../../records/description.ts';
import { nameFirst } from '../../records/key-names.ts';
import type { Shown } from '../../records/records.ts';
import { recordsOf } from '../../service/api.ts';
import { textOfValue } from '../../values/value.tsx';
import { isContent, isList, readableText } from './structured.ts';
import { sentFor, type Typed, typedOf } from './typed.ts';

export interface Theirs {
  readonly record: Shown;
  /** The identifier of the person, key or import that changed it last; `null` if that is not known. */
  readonly by: string | null;
  /** What the form began with, and the fields that both have changed since. */
  readonly was: Typed;
  readonly contested: readonly DescribedField[];
}

/** The record as it is now, and who made it so. */
export async function theirsOf(
  { path }: DescribedResource,
  id: string,
): Promise<Pick<Theirs, 'record' | 'by'>> {
  const records = recordsOf(path);
  const [record, { data }] = await Promise.all([
    records.retrieve(id),
    records.history(id, { limit: 1 }).page(),
  ]);
  return { record, by: data[0]?.key ?? null };
}

interface ConflictProps {
  readonly resource: DescribedResource;
  readonly theirs: Theirs;
  readonly zone: string;
  /** All fields: what only they have changed is theirs. */
  readonly yours: Typed;
  readonly busy: boolean;
  readonly fault: string | undefined;
  readonly onClose: () => void;
  readonly onSave: (values: Typed) => void;
}

export function Conflict({
  resource,
  theirs: { record, by, was, contested },
  zone,
  yours,
  busy,
  fault,
  onClose,
  onSave,
}: ConflictProps): JSX.Element {
  const theirs = typedOf(resource, record, zone);
  const who = (by === null ? '' : nameFirst(by)) || texts.record.somebody;
  const [takesYours, setTakesYours] = useState<ReadonlySet<string>>(
    () => new Set(contested.map(({ param }) => param)),
  );
  const choose = (param: string, mine: boolean): void =>
    setTakesYours((before) => {
      const next = new Set(before);
      if (mine) next.add(param);
      else next.delete(param);
      return next;
    });
  const chosen = (): Typed => ({
    ...yours,
    ...Object.fromEntries(
      contested.flatMap(({ param }) =>
        takesYours.has(param) ? [] : [[param, theirs[param] ?? '']],
      ),
    ),
  });
  const choice = (
    field: DescribedField,
    which: string,
    { [field.param]: value }: Typed,
    isYours: boolean,
  ): JSX.Element => {
    const shown = shownAs(value, field, zone);
    return (
      <label class="switch">
        <input
          type="radio"
          name={field.param}
          aria-label={says.take({ which: `${which} (${shown})`, label: field.label })}
          checked={takesYours.has(field.param) === isYours}
          onChange={() => choose(field.param, isYours)}
        />
        <span>{shown}</span>
      </label>
    );
  };
  return (
    <Dialog title={says.conflict(who)} onClose={onClose} filled wide>
      <Submitted class="stack" busy={busy} onSubmit={() => onSave(chosen())}>
        <p>{says.conflictHint}</p>
        <Fault says={fault} />
        <Table
          caption={says.conflictHint}
          columns={[
            { label: texts.what, cell: ({ label }) => label },
            {
              label: says.was,
              class: 'lines',
              cell: (field) => shownAs(was[field.param], field, zone),
            },
            {
              label: says.theirs,
              class: 'lines',
              cell: (field) => choice(field, says.theirs, theirs, false),
            },
            {
              label: says.yours,
              class: 'lines',
              cell: (field) => choice(field, says.yours, yours, true),
            },
          ]}
          rows={contested}
          keyOf={({ param }) => param}
        />
        <footer>
          <Cancel />
          <button type="submit" class="main" disabled={busy}>
            {texts.save}
          </button>
        </footer>
      </Submitted>
    </Dialog>
  );
}

function shownAs(value: string | undefined, field: DescribedField, zone: string): string {
  if (isContent(field) || isList(field)) return readableText(value ?? '', field) || history.empty;
  return textOfValue(sentFor(value ?? '', field, zone), field, zone) || history.empty;
}
