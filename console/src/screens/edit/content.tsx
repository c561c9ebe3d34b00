/** Free-form content in the form: a row for each name and its value. */
import type { JSX } from 'preact';
import { Icon } from '../../parts/icon.tsx';
import type { DescribedField } from '../../records/description.ts';
import {
  type ContentRow,
  type FieldFault,
  isAbout,
  isOfTexts,
  rowsIn,
  textOfRows,
} from './structured.ts';
import { says } from './texts.ts';

interface ContentProps {
  readonly field: DescribedField;
  readonly value: string;
  readonly describedBy: string | undefined;
  readonly fault: FieldFault | undefined;
  readonly onType: (value: string) => void;
}

export function Content(props: ContentProps): JSX.Element {
  const { field, value, describedBy, fault, onType } = props;
  const rows = rowsIn(value);
  const put = (at: number, changes: Partial<ContentRow>): void =>
    onType(textOfRows(rows.map((row, index) => (index === at ? { ...row, ...changes } : row))));
  const named = (number: number, what: string): string => says.part(field.label, number, what);
  return (
    <div class="rows-of content">
      {rows.map((row, at) => (
        <div key={at}>
          <input
            aria-label={named(at + 1, says.memberName)}
            aria-invalid={isAbout(fault, at)}
            aria-describedby={describedBy}
            autocomplete="off"
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
            <select
              aria-label={named(at + 1, says.memberKind)}
              value={row.json ? 'json' : 'text'}
              onChange={({ currentTarget }) => put(at, { json: currentTarget.value === 'json' })}
            >
              <option value="text">{says.asText}</option>
              <option value="json">{says.asJson}</option>
            </select>
          )}
          <button
            type="button"
            class="plain square"
            aria-label={says.takeOut(field.label, at + 1)}
            onClick={() => onType(textOfRows(rows.filter((_, index) => index !== at)))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button
        type="button"
        class="link plain"
        onClick={() => onType(textOfRows([...rows, { name: '', text: '', json: false }]))}
      >
        {says.addMember}
      </button>
    </div>
  );
}
