/** A field of days or times. Browsers take `27` for the year 27: a year that nobody meant is asked about, and never guessed. */
import { edit as says } from 'messages';
import type { InputHTMLAttributes } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { isYearShort, meantBy } from '../values/years.ts';

interface DateInputProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onInput' | 'type'> {
  readonly type: 'date' | 'datetime-local';
  /** What stands above it, where nothing else around it does. */
  readonly label?: string;
  readonly value: string;
  readonly onType: (text: string) => void;
}

export function DateInput({ label, type, value, onType, ...given }: DateInputProps): JSX.Element {
  const own = useId();
  const id = typeof given.id === 'string' ? given.id : own;
  const field = useRef<HTMLInputElement>(null);
  // While a year is typed, it has fewer digits.
  const [isLeft, setLeft] = useState(false);
  const isAsked = isYearShort(value) && (isLeft || given['aria-invalid'] === true);
  const input = (
    <input
      {...(given as object)}
      id={id}
      ref={field}
      type={type as 'date'}
      value={value}
      onInput={({ currentTarget }) => onType(currentTarget.value)}
      onFocus={() => setLeft(false)}
      onBlur={() => setLeft(true)}
    />
  );
  return (
    <>
      {label === undefined ? (
        input
      ) : (
        <label for={id}>
          {label}
          {input}
        </label>
      )}
      {isAsked && (
        <span class="which-year" role="alert">
          {says.whichYear}{' '}
          {meantBy(value).map((text) => (
            <button
              key={text}
              type="button"
              onClick={() => {
                onType(text);
                field.current?.focus();
              }}
            >
              {text.slice(0, 4)}
            </button>
          ))}
        </span>
      )}
    </>
  );
}
