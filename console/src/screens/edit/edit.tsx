/** Corrects a record: only what changed is sent, and only onto the version that was looked at. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { etagOf, isRefusal, recordsOf } from '../../api.ts';
import { type DescribedField, type DescribedResource, fieldOf } from '../../description.ts';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { sentenceOf } from '../../parts/failure.tsx';
import { Fault } from '../../parts/fault.tsx';
import type { Shown } from '../../records.ts';
import { signedInFor } from '../../session.ts';
import { texts } from '../../texts.ts';
import { Conflict } from './conflict.tsx';
import { Input } from './input.tsx';
import { type FieldFault, isContent, isList } from './structured.ts';
import { says } from './texts.ts';
import { faultsIn, patchOf, type Typed, typedOf } from './typed.ts';

interface EditProps {
  readonly resource: DescribedResource;
  readonly record: Shown;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

export interface Faults {
  readonly whole: string | undefined;
  /** By the parameter of their field. */
  readonly fields: Readonly<Record<string, FieldFault>>;
}

export const NO_FAULTS: Faults = { whole: undefined, fields: {} };

export function Edit({ resource, record, onClose, onSaved }: EditProps): JSX.Element {
  const form = useRef<HTMLFormElement>(null);
  const [base, setBase] = useState(record);
  const [typed, setTyped] = useState<Typed>(() => typedOf(resource, record));
  const [theirs, setTheirs] = useState<Shown>();
  const [faults, setFaults] = useState(NO_FAULTS);
  const [busy, setBusy] = useState(false);

  const save = async (from: Shown, values: Typed): Promise<void> => {
    const wrong = faultsIn(resource, values);
    if (Object.keys(wrong).length > 0) return complain({ whole: says.faults, fields: wrong });
    const patch = patchOf(resource, typedOf(resource, from), values);
    if (Object.keys(patch).length === 0) return setFaults({ ...NO_FAULTS, whole: says.nothing });
    setBusy(true);
    setFaults(NO_FAULTS);
    const { unique_identifier: id } = record;
    try {
      await signedInFor(() => recordsOf(resource.path).patch(id, patch, { ifMatch: etagOf(from) }));
      onSaved();
    } catch (error) {
      if (isRefusal(error) && error.status === 412) await showTheirs();
      else complain(faultsOf(resource, error));
      setBusy(false);
    }
  };

  /** Where the first fault is, typing goes on. */
  const complain = (found: Faults): void => {
    setFaults(found);
    queueMicrotask(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };

  const showTheirs = async (): Promise<void> => {
    try {
      setTheirs(
        await signedInFor(() => recordsOf(resource.path).retrieve(record.unique_identifier)),
      );
    } catch (error) {
      setFaults(faultsOf(resource, error));
    }
  };

  if (theirs !== undefined) {
    return (
      <Conflict
        resource={resource}
        was={typedOf(resource, base)}
        theirs={typedOf(resource, theirs)}
        yours={typed}
        busy={busy}
        fault={faults.whole}
        onClose={onClose}
        onSave={(values) => {
          setBase(theirs);
          setTyped(values);
          setTheirs(undefined);
          void save(theirs, values);
        }}
      />
    );
  }
  return (
    <Dialog
      title={says.title(resource.singular.toLowerCase())}
      onClose={onClose}
      filled={JSON.stringify(typed) !== JSON.stringify(typedOf(resource, base))}
      wide
    >
      <form
        ref={form}
        class="edit"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void save(base, typed);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            form.current?.requestSubmit();
        }}
      >
        <Fault says={faults.whole} />
        <Groups
          resource={resource}
          typed={typed}
          faults={faults}
          onType={(param, value) => setTyped((before) => ({ ...before, [param]: value }))}
        />
        <p class="hint">{says.partner}</p>
        <footer>
          <span class="hint by-keys">{says.ctrlEnter}</span>
          <Cancel />
          <button type="submit" class="main" disabled={busy}>
            {busy ? texts.saving : texts.save}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

export function Groups({
  resource,
  typed,
  faults,
  onType,
}: {
  readonly resource: DescribedResource;
  readonly typed: Typed;
  readonly faults: Faults;
  readonly onType: (param: string, value: string) => void;
}): JSX.Element {
  return (
    <>
      {resource.groups.map(({ heading, fields: params }) => {
        const fields = params.flatMap((param) => fieldOf(resource, param) ?? []);
        if (fields.length === 0) return null;
        return (
          <fieldset key={heading ?? ''}>
            <legend class={heading === undefined ? 'unseen' : undefined}>
              {heading ?? resource.singular}
            </legend>
            {fields.map((field) => (
              <Input
                key={field.param}
                field={field.label === heading ? { ...field, label: texts.record.name } : field}
                value={typed[field.param] ?? ''}
                fault={faults.fields[field.param]}
                onType={(value) => onType(field.param, value)}
              />
            ))}
          </fieldset>
        );
      })}
    </>
  );
}

/** Faults stand beside their fields; what belongs to no field stands above them all. */
export function faultsOf(resource: DescribedResource, error: unknown): Faults {
  if (!isRefusal(error)) return { ...NO_FAULTS, whole: sentenceOf(error) };
  const fields: Record<string, FieldFault> = {};
  let beside = 0;
  for (const { param = '', message } of error.errors) {
    const field = fieldAt(resource, param);
    if (field === undefined) continue;
    beside += 1;
    const inside = param.slice(field.param.length + 1);
    const row = /^\d+$/.test(inside) ? Number(inside) : undefined;
    // People know the field by its label, and count its entries from 1.
    const called = `${field.label} ${row === undefined ? inside : row + 1}`.trim();
    const told = message.replace(param, () => called);
    // The first of a field is the one to begin with.
    fields[field.param] ??= { says: told, ...(row === undefined ? {} : { row }) };
  }
  if (beside === 0) return { ...NO_FAULTS, whole: sentenceOf(error) };
  return { whole: beside === error.errors.length ? says.faults : sentenceOf(error), fields };
}

/** The field, or the one that holds what is meant. */
function fieldAt(resource: DescribedResource, param: string): DescribedField | undefined {
  return (
    fieldOf(resource, param) ??
    resource.fields.find(
      (field) => (isContent(field) || isList(field)) && param.startsWith(`${field.param}.`),
    )
  );
}
