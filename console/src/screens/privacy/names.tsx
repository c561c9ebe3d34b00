/** The names of a person, each with the dates that tell people of one name apart. */

import { privacy as says, page as texts } from 'messages';
import { Button } from '../../parts/button.tsx';
import { IconButton } from '../../parts/icon.tsx';

const { form } = says;

export interface TypedName {
  readonly full_name: string;
  readonly birth_date: string;
  readonly service_date: string;
}

export const NO_NAME: TypedName = { full_name: '', birth_date: '', service_date: '' };

const INPUTS = [
  ['full_name', texts.record.name, 'text'],
  ['birth_date', form.born, 'date'],
  ['service_date', form.service, 'date'],
] as const;

/** Picks the names that were typed, without empty dates. */
export function sentNames(names: readonly TypedName[]): readonly { readonly full_name: string }[] {
  return names.flatMap(({ full_name, ...dates }) => {
    const said = Object.entries(dates).filter(([, date]) => date !== '');
    const name = full_name.trim();
    return name === '' ? [] : [{ full_name: name, ...Object.fromEntries(said) }];
  });
}

interface NamesProps {
  readonly names: readonly TypedName[];
  readonly isWrong: boolean;
  readonly onType: (names: readonly TypedName[]) => void;
}

export function Names({ names, isWrong, onType }: NamesProps): JSX.Element {
  const put = (at: number, changes: Partial<TypedName>): void =>
    onType(names.map((one, index) => (index === at ? { ...one, ...changes } : one)));
  return (
    <fieldset class="field known-names">
      <legend>{form.names}</legend>
      {names.map((one, at) => (
        <div key={at}>
          {INPUTS.map(([member, label, type]) => (
            <label key={member}>
              {label}
              <input
                {...(type === 'date' ? { type } : { maxLength: 200 })}
                aria-label={
                  names.length === 1 ? undefined : form.nameAt({ what: label, number: at + 1 })
                }
                aria-invalid={isWrong}
                autocomplete="off"
                spellcheck={false}
                value={one[member]}
                onInput={({ currentTarget: { value } }) => put(at, { [member]: value })}
              />
            </label>
          ))}
          {names.length > 1 && (
            <IconButton
              class="plain"
              icon="close"
              label={form.withoutName(at + 1)}
              onClick={() => onType(names.filter((_, index) => index !== at))}
            />
          )}
        </div>
      ))}
      <Button class="link plain" label={form.addName} onClick={() => onType([...names, NO_NAME])} />
      <p class="hint">{form.namesHint}</p>
    </fieldset>
  );
}
