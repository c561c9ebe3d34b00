/** A field of a form: label, input, hint, and fault. */

import { page as texts } from 'messages';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { DateInput } from './date-input.tsx';
import { type Option, Select } from './select.tsx';

export interface Common {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-required': true | undefined;
}

/** Whether something has to be said in the field that stands around a legend. */
export const IsNeeded = createContext(false);

export function Legend({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return (
    <legend>
      {children}
      {useContext(IsNeeded) && <small> {texts.required}</small>}
    </legend>
  );
}

interface LabelledProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly fault?: string | undefined;
  /** Whether every record has it. */
  readonly isRequired?: boolean | undefined;
  /** Whether it consists of several inputs. */
  readonly isGroup?: boolean;
  readonly children: (common: Common) => ComponentChildren;
}

export function Labelled(props: LabelledProps): JSX.Element {
  const { label, hint, fault, isRequired = false, isGroup = false, children } = props;
  const id = useId();
  const about = [fault && `${id}-fault`, hint && `${id}-hint`].filter(Boolean).join(' ');
  const Place = isGroup ? 'fieldset' : 'div';
  const Name = isGroup ? 'legend' : 'label';
  return (
    <Place class={isGroup ? 'field wide' : 'field'}>
      <Name {...(!isGroup && { for: id })}>
        {label}
        {isRequired && <small> {texts.required}</small>}
      </Name>
      {children({
        id,
        'aria-invalid': fault !== undefined,
        'aria-describedby': about || undefined,
        'aria-required': isRequired || undefined,
      })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </Place>
  );
}

type InputType =
  | 'date'
  | 'datetime-local'
  | 'number'
  | 'amount'
  | 'url'
  | 'email'
  | 'password'
  | 'tel'
  | 'text';

export interface ControlProps {
  readonly common: Common;
  readonly name?: string;
  /** What is typed, or what one chooses from; a line of text where left out. */
  readonly of?: 'lines' | InputType | readonly Option[] | undefined;
  /** What may be typed, among others. */
  readonly suggests?: readonly string[];
  /** The first and the last day. */
  readonly days?: { readonly min?: string; readonly max?: string };
  readonly placeholder?: string;
  readonly autocomplete?: string;
  /** Whether a certain word is to be typed. */
  readonly isWord?: boolean;
  readonly rows?: number;
  readonly max?: number | undefined;
  readonly value: string;
  readonly onType: (text: string) => void;
}

export function Control(props: ControlProps): JSX.Element {
  const { common, of = 'text', suggests, days, isWord, rows = 2, max, onType, ...given } = props;
  if (typeof of !== 'string') {
    // What is given is said.
    if (of.length === 1) return <output {...common}>{of[0]?.[1]}</output>;
    return <Select {...common} {...given} options={of} onChoose={onType} />;
  }
  const all = {
    autocomplete: 'off',
    ...common,
    ...given,
    maxLength: max,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      onType(event.currentTarget.value),
  } as const;
  if (of === 'lines') return <textarea {...all} rows={rows} />;
  if (of === 'number' || of === 'amount')
    return <input {...all} inputMode={of === 'number' ? 'numeric' : 'decimal'} />;
  if (of === 'date' || of === 'datetime-local') {
    const { placeholder: _, ...dated } = given;
    return (
      <DateInput {...common} {...dated} {...days} autocomplete="off" type={of} onType={onType} />
    );
  }
  const list = suggests && `${common.id}-list`;
  return (
    <>
      <input
        {...all}
        {...(isWord && { autocapitalize: 'characters', spellcheck: false })}
        {...(list && { list, spellcheck: false })}
        // The types of Preact want one kind of input at a time.
        type={of as 'text'}
      />
      {list && (
        <datalist id={list}>
          {suggests.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </>
  );
}
