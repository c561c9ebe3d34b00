/** A dialog that asks for what an operation takes, field by field; what is refused stands beside its field. */
import { type ComponentChildren, Fragment, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { refusalText } from '../refusals.ts';
import { session } from '../service/session.ts';
import { useAct } from './act.ts';
import { Cancel, Dialog } from './dialog.tsx';
import { Fault } from './fault.tsx';
import { Labelled } from './labelled.tsx';

export interface Asked {
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  /** What is typed, or what one chooses from; a line of text where left out. */
  readonly of?:
    | 'lines'
    | 'date'
    | 'datetime-local'
    | 'number'
    | 'url'
    | 'email'
    | readonly (readonly [string, string])[];
  /** What may be typed, among others. */
  readonly suggests?: readonly string[];
  /** The first and the last day. */
  readonly days?: { readonly min?: string; readonly max?: string };
  readonly needed?: true;
  /** The word that has to be typed before what cannot be taken back. */
  readonly word?: string;
}

/** What was typed, by the names of the fields. */
export type Typed<Name extends string> = Readonly<Record<Name, string>>;

export interface AskProps<Name extends string, Answer> {
  readonly title: string;
  readonly hint?: ComponentChildren;
  readonly submit: string;
  readonly danger?: boolean;
  readonly wide?: boolean;
  /** The most characters of the fields. */
  readonly bounds?: Readonly<Record<string, number>>;
  readonly fields?: (typed: Typed<Name>) => Readonly<Partial<Record<Name, Asked>>>;
  readonly begin?: Typed<Name>;
  /** What it would do, in words. */
  readonly sentence?: (typed: Typed<Name>) => string;
  /** An input above the fields: the `param` of its faults, and the label that stands in their sentences. */
  readonly first?: {
    readonly name: string;
    readonly label: string;
    readonly show: (fault: string | undefined) => ComponentChildren;
  };
  /** What else is asked, whether it was filled in and is whole, and the field that it follows instead of all. */
  readonly more?: ComponentChildren;
  readonly filled?: boolean;
  readonly after?: NoInfer<Name>;
  readonly ready?: boolean | ((typed: Typed<Name>) => boolean);
  readonly foot?: ComponentChildren;
  /** What is still needed, until it can be sent. */
  readonly missing?: string | undefined;
  /** Sends what was typed, without the space around it. */
  readonly send: (typed: Typed<Name>) => Promise<Answer>;
  readonly onDone: (answer: Answer) => void;
  readonly onClose: () => void;
}

export function Ask<Name extends string, Answer>({
  begin = {} as Typed<Name>,
  fields: fieldsOf = () => ({}) as Readonly<Partial<Record<Name, Asked>>>,
  send,
  onDone,
  ...shown
}: AskProps<Name, Answer>): JSX.Element {
  const [start] = useState(begin);
  const [typed, setTyped] = useState(start);
  const act = useAct();
  const fields = Object.entries<Asked>(fieldsOf(typed) as Readonly<Record<string, Asked>>);
  /** A list is refused by one of its entries. */
  const faultOf = (name: string, label: string): string | undefined => {
    const [, fault] = Object.entries(act.faults).find(([at]) => at.split('.')[0] === name) ?? [];
    return fault && refusalText(fault, label);
  };
  const { first, after } = shown;
  const firstFault = first && faultOf(first.name, first.label);
  const isNamed =
    firstFault !== undefined || fields.some(([name, { label }]) => faultOf(name, label));
  const isWhole = fields.every(([name, { needed, word }]) => {
    const text = typed[name as Name].trim();
    return word === undefined ? !needed || text !== '' : text === word;
  });
  const isOther = Object.keys(start).some((name) => typed[name as Name] !== start[name as Name]);
  const { ready = true } = shown;
  const isReady = isWhole && (typeof ready === 'function' ? ready(typed) : ready);
  const submit = async (): Promise<void> => {
    const trimmed = Object.entries<string>(typed).map(([name, text]) => [name, text.trim()]);
    const answer = await act.run(() => send(Object.fromEntries(trimmed)));
    if (answer !== undefined) onDone(answer);
  };
  return (
    <Dialog
      title={shown.title}
      onClose={shown.onClose}
      wide={shown.wide ?? false}
      filled={shown.filled === true || isOther}
    >
      <form
        class="fields"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {typeof shown.hint === 'string' ? <p>{shown.hint}</p> : shown.hint}
        {shown.sentence !== undefined && (
          <p class="sentence" aria-live="polite">
            {shown.sentence(typed)}
          </p>
        )}
        {!isNamed && <Fault says={act.fault} />}
        {first?.show(firstFault)}
        {fields.map(([name, asked]) => (
          <Fragment key={name}>
            <Labelled
              label={asked.label}
              fault={faultOf(name, asked.label)}
              {...(asked.hint === undefined ? {} : { hint: asked.hint })}
            >
              {(common) => (
                <Control
                  common={common}
                  asked={asked}
                  max={shown.bounds?.[name]}
                  value={typed[name as Name]}
                  onType={(text) => setTyped({ ...typed, [name]: text })}
                />
              )}
            </Labelled>
            {name === after && shown.more}
          </Fragment>
        ))}
        {after === undefined && shown.more}
        <footer>
          {shown.foot}
          {!isReady && shown.missing && <span class="hint">{shown.missing}</span>}
          <Cancel />
          <button
            type="submit"
            class={shown.danger ? 'danger' : 'main'}
            disabled={act.busy || !isReady}
          >
            {shown.submit}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function Control({
  common,
  asked: { of, days, placeholder, suggests, word },
  max,
  value,
  onType,
}: {
  readonly common: { readonly id: string };
  readonly asked: Asked;
  readonly max: number | undefined;
  readonly value: string;
  readonly onType: (text: string) => void;
}): JSX.Element {
  const all = { ...common, value, placeholder, maxLength: max, autocomplete: 'off' as const };
  const capital =
    word === undefined ? {} : ({ autocapitalize: 'characters', spellcheck: false } as const);
  const typed = ({ currentTarget }: { currentTarget: { value: string } }): void =>
    onType(currentTarget.value);
  if (of === 'lines') return <textarea {...all} rows={2} onInput={typed} />;
  if (of === 'number') return <input {...all} inputMode="numeric" onInput={typed} />;
  if (suggests !== undefined) {
    const list = `${common.id}-list`;
    return (
      <>
        <input {...all} list={list} spellcheck={false} onInput={typed} />
        <datalist id={list}>
          {suggests.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </>
    );
  }
  if (of === undefined || typeof of === 'string')
    return (
      <input {...all} {...days} {...capital} type={(of ?? 'text') as 'date'} onInput={typed} />
    );
  // What is given is said.
  if (of.length === 1) return <output {...common}>{of[0]?.[1]}</output>;
  return (
    <select {...common} value={value} onChange={typed}>
      {of.map(([one, label]) => (
        <option key={one} value={one}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** Which account it is for, where there are several. */
export function accountAsked(label: string): { readonly account?: Asked } {
  const all = session.value?.accounts ?? [];
  if (all.length < 2) return {};
  return { account: { label, of: all.map((one) => [one.unique_identifier, one.name] as const) } };
}

export function firstAccount(): string {
  return session.value?.accounts[0]?.unique_identifier ?? '';
}
