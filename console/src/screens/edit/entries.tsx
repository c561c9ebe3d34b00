/** A list in the form: a row for each entry, in their order. */

import { edit as says } from 'messages';
import { Button } from '../../parts/button.tsx';
import { IconButton } from '../../parts/icon.tsx';
import { entriesIn, isAbout, type RowsProps, textOfRows } from './structured.ts';

export function Entries(props: RowsProps): JSX.Element {
  const { field, value, describedBy, fault, onType } = props;
  const entries = entriesIn(value);
  const write = (next: readonly string[]): void => onType(textOfRows(next));
  const swap = (one: number, other: number): void =>
    write(
      entries.map((entry, at) => entries[at === one ? other : at === other ? one : at] ?? entry),
    );
  return (
    <div class="rows-of">
      {entries.map((entry, at) => (
        <div key={at}>
          <input
            aria-label={`${field.label} ${at + 1}`}
            aria-invalid={isAbout(fault, at)}
            aria-describedby={describedBy}
            autocomplete="off"
            inputMode="url"
            value={entry}
            onInput={({ currentTarget }) =>
              write(entries.map((one, index) => (index === at ? currentTarget.value : one)))
            }
          />
          <IconButton
            class="plain"
            icon="up"
            label={says.up({ label: field.label, number: at + 1 })}
            disabled={at === 0}
            onClick={() => swap(at, at - 1)}
          />
          <IconButton
            class="plain"
            icon="down"
            label={says.down({ label: field.label, number: at + 1 })}
            disabled={at === entries.length - 1}
            onClick={() => swap(at, at + 1)}
          />
          <IconButton
            class="plain"
            icon="close"
            label={says.takeOut({ label: field.label, number: at + 1 })}
            onClick={() => write(entries.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <Button class="link plain" label={says.addEntry} onClick={() => write([...entries, ''])} />
    </div>
  );
}
