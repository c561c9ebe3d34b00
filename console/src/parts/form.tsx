/** A form made from its fields: what is refused stands beside its field, and what was typed stays until it is taken. */

import { edit as says, page as texts } from 'messages';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { toJson } from '../../../client/src/json.ts';
import { useLoad } from '../load.ts';
import { refusalText } from '../refusals.ts';
import { session } from '../service/session.ts';
import { isYearShort } from '../values/years.ts';
import { useAct } from './act.ts';
import { Cancel, Dialog } from './dialog.tsx';
import { UserName, useHeard } from './heard.tsx';
import { Control, type ControlProps, IsNeeded, Labelled } from './labelled.tsx';
import { Fault, Loading } from './loading.tsx';
import { useStay } from './staying.ts';

export interface TextField extends Pick<ControlProps, 'of' | 'days' | 'suggests' | 'placeholder'> {
  readonly label: string;
  readonly hint?: string;
  readonly needed?: true;
  /** The word that has to be typed before what cannot be taken back. */
  readonly word?: string;
  readonly autocomplete?: string;
}

/** A field whose value is no text, or that is shown in its own way. */
export interface OwnField<Value> {
  /** What it is called in the sentence of a fault. */
  readonly label: string;
  readonly own: (input: {
    readonly value: Value;
    readonly isWrong: boolean;
    readonly onChange: (value: Value) => void;
  }) => ComponentChildren;
  /** Whether it says enough; where it is left out, nothing has to be said. */
  readonly isReady?: (value: Value) => boolean;
  /** Whether a year in it has too few digits. */
  readonly isUnclear?: (value: Value) => boolean;
}

export type FieldsOf<Values> = {
  readonly [Name in keyof Values]?: Values[Name] extends string
    ? TextField | OwnField<Values[Name]>
    : OwnField<Values[Name]>;
};

/** What would be done, found out before anything is sent. */
interface Rehearsal<Found> {
  /** What is loaded, in words. */
  readonly of: string;
  readonly load: (signal: AbortSignal) => Promise<Found>;
  readonly says: (found: NoInfer<Found>) => ComponentChildren;
  readonly isReady?: (found: NoInfer<Found>) => boolean;
}

export interface FormProps<Values, Answer, Found = unknown> {
  readonly submit: string;
  readonly danger?: boolean;
  /** Whether it is one of several on a page. */
  readonly isSmall?: boolean;
  readonly class?: string;
  readonly rehearsal?: Rehearsal<Found>;
  readonly hint?: ComponentChildren;
  /** The most characters of the fields. */
  readonly bounds?: Readonly<Record<string, number>>;
  readonly begin?: Values;
  readonly fields?:
    | FieldsOf<NoInfer<Values>>
    | ((typed: NoInfer<Values>) => FieldsOf<NoInfer<Values>>);
  /** What it would do, in words. */
  readonly sentence?: (typed: NoInfer<Values>) => string;
  readonly isReady?: boolean | ((typed: NoInfer<Values>) => boolean);
  readonly foot?: ComponentChildren;
  /** What is still needed, where `isReady` says so. */
  readonly missing?: string;
  /** Sends what was typed, lines without the space around them. */
  readonly send: (typed: NoInfer<Values>) => Promise<Answer>;
  readonly onDone: (answer: Answer) => void;
}

/** `stays`: it stands in the page, also when it was sent; a dialog stays only where something of it was refused. */
function useForm<Values extends object, Answer, Found>(
  props: FormProps<Values, Answer, Found>,
  stays = false,
) {
  const { rehearsal, begin = {} as Values, fields: declared = {}, isReady = true } = props;
  const rehearsed = useLoad(rehearsal?.of, (signal) =>
    (rehearsal as Rehearsal<Found>).load(signal),
  );
  const [start, setStart] = useState(begin);
  const [typed, setTyped] = useState(start);
  const act = useAct();
  /** How often it was sent while something was missing. */
  const [refused, setRefused] = useState(0);
  const valueAt = (name: string): unknown => typed[name as keyof Values];
  const fields = Object.entries<TextField | OwnField<unknown>>(
    (typeof declared === 'function' ? declared(typed) : declared) as never,
  );
  const isUnclear = (name: string, field: TextField | OwnField<unknown>): boolean =>
    'own' in field
      ? field.isUnclear?.(valueAt(name)) === true
      : (field.of === 'date' || field.of === 'datetime-local') &&
        isYearShort(String(valueAt(name)));
  const lacks = (name: string, field: TextField | OwnField<unknown>): boolean => {
    if ('own' in field) return isUnclear(name, field) || field.isReady?.(valueAt(name)) === false;
    const text = String(valueAt(name)).trim();
    if (isUnclear(name, field)) return true;
    return field.word === undefined ? field.needed === true && text === '' : text !== field.word;
  };
  const isLacking = fields.some(([name, field]) => lacks(name, field));
  const faultOf = (name: string): string | undefined => {
    // A list is refused by one of its entries.
    const [, fault] = Object.entries(act.faults).find(([at]) => at.split('.')[0] === name) ?? [];
    const field = fields.find(([one]) => one === name)?.[1];
    if (refused > 0 && field !== undefined && isUnclear(name, field))
      return says.yearShort(field.label);
    if (refused > 0 && field !== undefined && lacks(name, field))
      return 'word' in field ? field.label : says.needed(field.label);
    // What is said of a password calls it so.
    const isPassword = field !== undefined && 'of' in field && field.of === 'password';
    return fault && refusalText(fault, isPassword ? undefined : field?.label);
  };
  const { value } = rehearsed;
  const isEnough = typeof isReady === 'function' ? isReady(typed) : isReady;
  const isFound =
    rehearsal === undefined || (value !== undefined && rehearsal.isReady?.(value) !== false);
  return {
    typed,
    busy: act.busy,
    isFilled: toJson(typed) !== toJson(start),
    found: rehearsal && <Loading of={rehearsed}>{rehearsal.says}</Loading>,
    /** Whether it can be sent, or says what is missing. */
    canSend: isFound && (isEnough || isLacking || props.missing !== undefined),
    fields,
    refused,
    /** What was refused as a whole. */
    fault:
      refused > 0 && (isLacking || !isEnough)
        ? (props.missing ?? says.missing)
        : fields.some(([name]) => faultOf(name))
          ? undefined
          : act.fault,
    faultOf,
    put: (name: string, value: unknown) => setTyped({ ...typed, [name]: value }),
    async submit(): Promise<void> {
      if (isLacking || !isEnough) return setRefused(refused + 1);
      setRefused(0);
      const lines = fields.flatMap(([name, field]) =>
        'own' in field || field.of === 'password' ? [] : [[name, String(valueAt(name)).trim()]],
      );
      const answer = await act.run(() => props.send({ ...typed, ...Object.fromEntries(lines) }));
      if (answer === undefined) return;
      if (stays) setStart(typed);
      props.onDone(answer);
    },
  };
}

/** A form that stands in the page. */
export function Form<Values extends object, Answer, Found>(
  props: FormProps<Values, Answer, Found>,
): JSX.Element {
  const form = useForm(props, true);
  useStay(() => form.isFilled);
  return <FormBody {...props} form={form} />;
}

function FormBody<Values extends object, Answer, Found>(
  props: FormProps<Values, Answer, Found> & {
    readonly form: ReturnType<typeof useForm<Values, Answer, Found>>;
    readonly cancel?: ComponentChildren;
  },
): JSX.Element {
  const { form, cancel, ...shown } = props;
  return (
    <Submitted
      class={shown.class ?? 'fields'}
      busy={form.busy}
      isReady={form.canSend}
      refused={form.refused}
      onSubmit={() => void form.submit()}
    >
      {form.found}
      {typeof shown.hint === 'string' ? <p>{shown.hint}</p> : shown.hint}
      {shown.sentence !== undefined && (
        <p class="sentence" aria-live="polite">
          {shown.sentence(form.typed)}
        </p>
      )}
      <Fault says={form.fault} />
      {form.fields.map(([name, field]) => {
        const fault = form.faultOf(name);
        const value = form.typed[name as keyof Values];
        const onChange = (next: unknown): void => form.put(name, next);
        if ('own' in field)
          return (
            <Own key={name} label={field.label} needed={field.isReady !== undefined} fault={fault}>
              {field.own({ value, isWrong: fault !== undefined, onChange })}
            </Own>
          );
        const { label, hint, needed, word, ...control } = field;
        return (
          <Labelled key={name} label={label} hint={hint} fault={fault} isRequired={needed}>
            {(common) => (
              <>
                {control.of === 'password' && <UserName email={session.value?.staff.email} />}
                <Control
                  {...control}
                  common={common}
                  isWord={word !== undefined}
                  max={shown.bounds?.[name]}
                  value={value as string}
                  onType={onChange}
                />
              </>
            )}
          </Labelled>
        );
      })}
      <footer>
        {shown.foot}
        {cancel}
        <button
          type="submit"
          class={shown.danger ? 'danger' : shown.isSmall ? undefined : 'main'}
          disabled={form.busy || !form.canSend}
        >
          {shown.submit}
        </button>
      </footer>
    </Submitted>
  );
}

/** A field that is shown in its own way, with what is wrong of it. */
function Own(props: {
  readonly label: string;
  readonly needed: boolean;
  readonly fault: string | undefined;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { label, needed, fault, children } = props;
  const id = useId();
  const of = { role: 'group', 'aria-label': label, 'aria-describedby': id } as const;
  return (
    <div class="own" {...(fault !== undefined && of)}>
      <IsNeeded.Provider value={needed}>{children}</IsNeeded.Provider>
      {fault !== undefined && (
        <p class="fault" id={id}>
          {fault}
        </p>
      )}
    </div>
  );
}

interface SubmittedProps {
  readonly class: string;
  readonly label?: string | undefined;
  readonly busy: boolean;
  /** How often something was refused before it was sent. */
  readonly refused?: number;
  readonly isReady?: boolean;
  readonly onSubmit: () => void;
  readonly onEscape?: () => void;
  readonly children: ComponentChildren;
}

/** Where typing goes on. */
const WRONG = '[aria-invalid=true], .own[aria-describedby] :is(input, select, textarea, button)';

/** Sends by Enter, or Ctrl+Enter in a longer text; where a field was refused, typing goes on in it. */
export function Submitted(props: SubmittedProps): JSX.Element {
  const form = useRef<HTMLFormElement>(null);
  const { busy, isReady = true, refused } = props;
  const send = useHeard(() => {
    if (!busy && isReady) props.onSubmit();
  });
  useEffect(() => {
    if (!busy) form.current?.querySelector<HTMLElement>(WRONG)?.focus();
  }, [busy, refused]);
  return (
    <form
      ref={form}
      class={props.class}
      aria-label={props.label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (event.target === form.current) send(event.currentTarget);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
          form.current?.requestSubmit();
        if (event.key === 'Escape') props.onEscape?.();
      }}
    >
      {props.children}
    </form>
  );
}

/** Which account it is for, where there are several. */
export function accountField(): { readonly account?: TextField } {
  const all = session.value?.accounts ?? [];
  if (all.length < 2) return {};
  const of = all.map((one) => [one.unique_identifier, one.name] as const);
  return { account: { label: texts.account, of } };
}

export function firstAccount(): string {
  return session.value?.accounts[0]?.unique_identifier ?? '';
}

export interface FormDialogProps<Values, Answer, Found> extends FormProps<Values, Answer, Found> {
  readonly title: string;
  readonly wide?: boolean;
  readonly onClose: () => void;
}

/** What a dialog asks, apart from what follows. */
export type Question<Values, Answer, Found> = Omit<
  FormDialogProps<Values, Answer, Found>,
  'onClose' | 'onDone'
>;

/** Checks the fields of a question by what they begin with. */
export function question<Values extends object, Answer, Found>(
  of: Question<Values, Answer, Found>,
): Question<Values, Answer, Found> {
  return of;
}

/** A form in a dialog, which asks before what was typed is lost. */
export function FormDialog<Values extends object, Answer, Found>(
  props: FormDialogProps<Values, Answer, Found>,
): JSX.Element {
  const { title, wide = false, onClose } = props;
  const form = useForm(props);
  return (
    <Dialog title={title} onClose={onClose} wide={wide} filled={form.isFilled}>
      <FormBody {...props} form={form} cancel={<Cancel />} />
    </Dialog>
  );
}
