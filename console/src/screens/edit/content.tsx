/** Free-form content and lists in the form, row by row. */
import { edit as says, page as texts } from 'messages';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { Button, IconButton } from '../../parts/button.tsx';
import { Check } from '../../parts/choices.tsx';
import { Select } from '../../parts/select.tsx';
import {
  type ContentRow,
  entriesIn,
  isAbout,
  isOfTexts,
  type RowsProps,
  rowsIn,
  textOfRows,
} from './typed.ts';

/** Texts that have a row of their own, also while there is nothing in it: by their names, with what a tick says. */
export const Offered = createContext<ReadonlyMap<string, string | undefined>>(new Map());

export function Content(props: RowsProps): JSX.Element {
  const { field, value, describedBy, fault, onType } = props;
  const ticks = useContext(Offered);
  const stored = rowsIn(value);
  const offered = isOfTexts(field) ? [...ticks.keys()] : [];
  const rows = [
    ...offered.map(
      (name) => stored.find((row) => row.name === name) ?? { name, text: '', json: false },
    ),
    ...stored.filter(({ name }) => !offered.includes(name)),
  ];
  const write = (all: readonly ContentRow[]): void =>
    onType(textOfRows(all.filter(({ name, text }) => text !== '' || !offered.includes(name))));
  const put = (at: number, changes: Partial<ContentRow>): void =>
    write(rows.map((row, index) => (index === at ? { ...row, ...changes } : row)));
  const isWrong = (row: ContentRow): boolean => isAbout(fault, stored.indexOf(row));
  const named = (number: number, what: string): string =>
    says.part({ label: field.label, number, what });
  return (
    <div class="rows-of content">
      {rows.map((row, at) => {
        const tick = ticks.get(row.name);
        return tick !== undefined && ['', tick].includes(row.text) ? (
          <Check
            key={at}
            label={row.name}
            isOn={row.text !== ''}
            onSet={(isOn) => put(at, { text: isOn ? tick : '' })}
          />
        ) : (
          <div key={at}>
            <input
              aria-label={named(at + 1, says.memberName)}
              aria-invalid={isWrong(row)}
              aria-describedby={describedBy}
              autocomplete="off"
              readOnly={offered.includes(row.name)}
              value={row.name}
              onInput={({ currentTarget }) => put(at, { name: currentTarget.value })}
            />
            <textarea
              aria-label={named(at + 1, says.memberValue)}
              class={row.json ? 'json' : undefined}
              rows={1}
              value={row.text}
              onInput={({ currentTarget }) => put(at, { text: currentTarget.value })}
            />
            {!isOfTexts(field) && (
              <Select
                aria-label={named(at + 1, says.memberKind)}
                value={row.json ? 'json' : 'text'}
                options={[
                  ['text', says.asText],
                  ['json', texts.record.tabs.json],
                ]}
                onChoose={(kind) => put(at, { json: kind === 'json' })}
              />
            )}
            <IconButton
              class="plain"
              icon="close"
              label={says.takeOut({ label: field.label, number: at + 1 })}
              onClick={() => write(rows.filter((_, index) => index !== at))}
            />
          </div>
        );
      })}
      <Button
        class="link plain"
        label={says.addMember}
        onClick={() => write([...rows, { name: '', text: '', json: false }])}
      />
    </div>
  );
}

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
