/** Makes one value of several columns: `{First} {Middle} {Last}`, with what becomes of the first rows. */
import { imports as says } from 'messages';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { Control, Labelled } from '../../parts/labelled.tsx';
import type { Option } from '../../parts/select.tsx';
import { madeOf } from './for-all.tsx';
import { columnsFor } from './refused.ts';
import type { Look } from './service.ts';

export interface CombineProps {
  readonly look: Look;
  readonly fields: readonly Option[];
  /** What to begin with. */
  readonly begin: { readonly field: string; readonly value: string };
  readonly onClose: () => void;
  readonly onDone: (field: string, value: string) => void;
}

export function Combine({ look, fields, begin, onClose, onDone }: CombineProps): JSX.Element {
  const columns = look.header.filter((column) => !/^_|[{}]/.test(column));
  return (
    <FormDialog
      title={says.combine}
      hint={says.combineHint}
      submit={says.combineDone}
      wide
      begin={begin}
      isReady={({ field, value }) => field !== '' && columnsFor(value).length > 0}
      fields={{
        field: { label: says.combineInto, of: fields },
        value: {
          label: says.combineOf,
          own: ({ value, onChange }) => (
            <div class="import-combine">
              <Labelled label={says.combineOf} hint={says.combineOfHint}>
                {(common) => <Control common={common} max={500} value={value} onType={onChange} />}
              </Labelled>
              <fieldset class="columns-of">
                <legend class="hint">{says.combineAdd}</legend>
                {columns.map((column) => (
                  <Button
                    key={column}
                    label={column}
                    disabled={columnsFor(value).includes(column)}
                    onClick={() => onChange(`${value.trimEnd()} {${column}}`.trimStart())}
                  />
                ))}
              </fieldset>
              <p class="sentence" aria-live="polite">
                <span class="hint">{says.combineSeen}</span>
                <br />
                <strong>{madeOf(look, value) || '–'}</strong>
              </p>
            </div>
          ),
        },
      }}
      send={async (typed) => typed}
      onDone={({ field, value }) => onDone(field, value.trim())}
      onClose={onClose}
    />
  );
}
