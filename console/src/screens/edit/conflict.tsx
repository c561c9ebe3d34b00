/** Somebody else has changed the record: what it was, what they made of it, and what you typed, field by field. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DescribedField, DescribedResource } from '../../description.ts';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { texts } from '../../texts.ts';
import { readableText } from './structured.ts';
import { says } from './texts.ts';
import type { Typed } from './typed.ts';

interface ConflictProps {
  readonly resource: DescribedResource;
  readonly was: Typed;
  readonly theirs: Typed;
  readonly yours: Typed;
  readonly busy: boolean;
  readonly fault: string | undefined;
  readonly onClose: () => void;
  readonly onSave: (values: Typed) => void;
}

export function Conflict({
  resource,
  was,
  theirs,
  yours,
  busy,
  fault,
  onClose,
  onSave,
}: ConflictProps): JSX.Element {
  const fields = resource.fields.filter(
    ({ param }) => theirs[param] !== was[param] || yours[param] !== was[param],
  );
  // What only they have changed stays theirs.
  const [takesYours, setTakesYours] = useState<ReadonlySet<string>>(
    () =>
      new Set(fields.filter(({ param }) => yours[param] !== was[param]).map(({ param }) => param)),
  );
  const choose = (param: string, mine: boolean): void =>
    setTakesYours((before) => {
      const next = new Set(before);
      if (mine) next.add(param);
      else next.delete(param);
      return next;
    });
  const chosen = (): Typed => ({
    ...theirs,
    ...Object.fromEntries([...takesYours].map((param) => [param, yours[param] ?? ''])),
  });
  return (
    <Dialog title={says.conflict} onClose={onClose} filled wide>
      <form
        class="conflict"
        onSubmit={(event) => {
          event.preventDefault();
          onSave(chosen());
        }}
      >
        <p>{says.conflictHint}</p>
        <Fault says={fault} />
        <table>
          <thead>
            <tr>
              <td />
              <th scope="col">{says.was}</th>
              <th scope="col">{says.theirs}</th>
              <th scope="col">{says.yours}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field.param}>
                <th scope="row">{field.label}</th>
                <td>{shownAs(was[field.param], field)}</td>
                <td>
                  <Choice
                    field={field}
                    which={says.theirs}
                    value={theirs[field.param]}
                    checked={!takesYours.has(field.param)}
                    onChoose={() => choose(field.param, false)}
                  />
                </td>
                <td>
                  <Choice
                    field={field}
                    which={says.yours}
                    value={yours[field.param]}
                    checked={takesYours.has(field.param)}
                    onChoose={() => choose(field.param, true)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <footer>
          <Cancel />
          <button type="submit" class="main" disabled={busy}>
            {texts.save}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function Choice({
  field,
  which,
  value,
  checked,
  onChoose,
}: {
  readonly field: DescribedField;
  readonly which: string;
  readonly value: string | undefined;
  readonly checked: boolean;
  readonly onChoose: () => void;
}): JSX.Element {
  const shown = shownAs(value, field);
  return (
    <label class="pick">
      <input
        type="radio"
        name={field.param}
        aria-label={says.take(`${which} (${shown})`, field.label)}
        checked={checked}
        onChange={onChoose}
      />
      <span>{shown}</span>
    </label>
  );
}

function shownAs(value: string | undefined, field: DescribedField): string {
  return readableText(value ?? '', field) || texts.history.empty;
}
