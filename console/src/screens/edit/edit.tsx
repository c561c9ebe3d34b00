/** Corrects a record: only what changed is sent, and only onto the version that was looked at. */

import says from 'messages:edit';
import texts from 'messages:page';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { sentenceOf } from '../../parts/failure.tsx';
import { Fault } from '../../parts/fault.tsx';
import { say } from '../../parts/notice.tsx';
import { zoneOfRecord } from '../../places/homes.ts';
import { type DescribedField, type DescribedResource, fieldOf } from '../../records/description.ts';
import { groupsOf } from '../../records/order.ts';
import type { Shown } from '../../records/records.ts';
import { refusalText } from '../../refusals.ts';
import { etagOf, isRefusal, recordsOf } from '../../service/api.ts';
import { signedInFor } from '../../service/session.ts';
import { isPhone } from '../../values/value.tsx';
import { cardGroupsOf } from './card-groups.ts';
import { Conflict, type Theirs, theirsOf } from './conflict.tsx';
import { Input } from './input.tsx';
import { type FieldFault, isContent, isList } from './structured.ts';
import { faultsIn, isOther, patchOf, type Typed, typedOf } from './typed.ts';

interface EditProps {
  readonly resource: DescribedResource;
  readonly record: Shown;
  readonly onClose: () => void;
  readonly onSaved: () => void;
  /** Where it is part of a page, and opens no dialog. */
  readonly beside?: Beside;
}

/** What was typed, and what it was typed over. */
export interface Draft {
  readonly base: Shown;
  readonly typed: Typed;
}

interface Beside {
  readonly submit: string;
  /** What was typed before, and was not saved. */
  readonly draft: Draft | undefined;
  /** Hears what is typed; `undefined`: nothing that is not saved. */
  readonly onDraft: (draft: Draft | undefined) => void;
}

export interface Faults {
  readonly whole: string | undefined;
  /** By the parameter of their field. */
  readonly fields: Readonly<Record<string, FieldFault>>;
}

export const NO_FAULTS: Faults = { whole: undefined, fields: {} };

/** What is left of them while that field is mended. */
export function faultsWithout(param: string): (faults: Faults) => Faults {
  return ({ fields: { [param]: _, ...fields } }) => ({ whole: undefined, fields });
}

export function Edit(props: EditProps): JSX.Element {
  const { resource, record, onClose, onSaved, beside } = props;
  const form = useRef<HTMLFormElement>(null);
  const zone = zoneOfRecord(record);
  const [base, setBase] = useState(beside?.draft?.base ?? record);
  const [typed, setTyped] = useState<Typed>(
    () => beside?.draft?.typed ?? typedOf(resource, record, zone),
  );
  const [theirs, setTheirs] = useState<Theirs>();
  const [faults, setFaults] = useState(NO_FAULTS);
  const [busy, setBusy] = useState(false);

  const filled = JSON.stringify(typed) !== JSON.stringify(typedOf(resource, base, zone));
  const hear = useRef(beside?.onDraft);
  hear.current = beside?.onDraft;
  useEffect(() => hear.current?.(filled ? { base, typed } : undefined), [base, typed, filled]);

  const save = async (from: Shown, values: Typed, isMerged = false): Promise<void> => {
    const wrong = faultsIn(resource, values);
    if (Object.keys(wrong).length > 0) return complain({ whole: says.faults, fields: wrong });
    const patch = patchOf(resource, typedOf(resource, from, zone), values, zone);
    if (Object.keys(patch).length === 0) {
      if (beside !== undefined) return onSaved();
      return setFaults({ ...NO_FAULTS, whole: says.nothing });
    }
    setBusy(true);
    setFaults(NO_FAULTS);
    const { unique_identifier: id } = record;
    try {
      await signedInFor(() => recordsOf(resource.path).patch(id, patch, { ifMatch: etagOf(from) }));
      onSaved();
      if (isMerged) say(says.merged);
    } catch (error) {
      const isLate = isRefusal(error) && error.status === 412;
      if (!isLate) complain(faultsOf(resource, error, values));
      else
        await meetTheirs(from, values).catch((other: unknown) =>
          setFaults(faultsOf(resource, other, values)),
        );
      setBusy(false);
    }
  };

  /** Where the first fault is, typing goes on. */
  const complain = (found: Faults): void => {
    setFaults(found);
    queueMicrotask(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };

  /** What only one of both has changed stays; what both have changed needs a decision. */
  const meetTheirs = async (from: Shown, values: Typed): Promise<void> => {
    const found = await signedInFor(() => theirsOf(resource, record.unique_identifier));
    const [was, now] = [typedOf(resource, from, zone), typedOf(resource, found.record, zone)];
    const mine = resource.fields.filter((field) => isOther(field, was, values));
    const own = Object.fromEntries(mine.map(({ param }) => [param, values[param] ?? '']));
    const merged = { ...now, ...own };
    const asked = mine.filter((field) => isOther(field, was, now) && isOther(field, now, values));
    setBase(found.record);
    setTyped(merged);
    if (asked.length > 0) return setTheirs({ ...found, was, asked });
    if (mine.some((field) => isOther(field, now, merged))) await save(found.record, merged, true);
    else onSaved();
  };

  if (theirs !== undefined) {
    return (
      <Conflict
        resource={resource}
        theirs={theirs}
        zone={zone}
        yours={typed}
        busy={busy}
        fault={faults.whole}
        onClose={onClose}
        onSave={(values) => {
          setTyped(values);
          setTheirs(undefined);
          void save(base, values);
        }}
      />
    );
  }
  const content = (
    <form
      ref={form}
      class={beside === undefined ? 'edit' : 'edit beside'}
      aria-label={says.title(resource.singular.toLowerCase())}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void save(base, typed);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
          form.current?.requestSubmit();
        // From the fields beside a card to the keys that go from card to card.
        if (beside !== undefined && event.key === 'Escape') (event.target as HTMLElement).blur();
      }}
    >
      <Fault says={faults.whole} />
      <Groups
        resource={resource}
        typed={typed}
        faults={faults}
        zone={zone}
        onCard={beside !== undefined}
        onType={(param, value) => {
          setTyped((before) => ({ ...before, [param]: value }));
          setFaults(faultsWithout(param));
        }}
      />
      <p class="hint">{says.partner}</p>
      <footer>
        <span class="hint by-keys">{says.ctrlEnter}</span>
        {beside === undefined && <Cancel />}
        <button type="submit" class="main" disabled={busy}>
          {busy ? texts.saving : (beside?.submit ?? texts.save)}
        </button>
      </footer>
    </form>
  );
  if (beside !== undefined) return content;
  return (
    <Dialog
      title={says.title(resource.singular.toLowerCase())}
      onClose={onClose}
      filled={filled}
      wide
    >
      {content}
    </Dialog>
  );
}

export function Groups({
  resource,
  typed,
  faults,
  zone,
  onCard = false,
  onType,
}: {
  readonly resource: DescribedResource;
  readonly typed: Typed;
  readonly faults: Faults;
  readonly zone: string;
  /** In the order of a card, beside its images. */
  readonly onCard?: boolean;
  readonly onType: (param: string, value: string) => void;
}): JSX.Element {
  const input = (field: DescribedField): JSX.Element => (
    <Input
      key={field.param}
      field={field}
      value={typed[field.param] ?? ''}
      fault={faults.fields[field.param]}
      zone={zone}
      onType={(value) => onType(field.param, value)}
    />
  );
  const images = onCard ? fieldOf(resource, resource.images ?? '') : undefined;
  return (
    <>
      {(onCard ? cardGroupsOf : groupsOf)(resource).map(
        ({ heading: named, fields: params }, at) => {
          const heading = named ?? (resource.groups.length > 1 ? resource.singular : undefined);
          const fields = params.flatMap((param) => fieldOf(resource, param) ?? []);
          if (fields.length === 0) return null;
          return (
            <fieldset key={at}>
              <legend class={heading === undefined || onCard ? 'unseen' : undefined}>
                {heading ?? resource.singular}
              </legend>
              {fields.map((field) =>
                input(field.label === heading ? { ...field, label: texts.record.name } : field),
              )}
            </fieldset>
          );
        },
      )}
      {images !== undefined && (
        <details open={faults.fields[images.param] !== undefined}>
          <summary>{images.label}</summary>
          {input(images)}
        </details>
      )}
    </>
  );
}

/** Faults stand next to their fields; those of no field stand above them all. */
export function faultsOf(resource: DescribedResource, error: unknown, typed: Typed): Faults {
  if (!isRefusal(error)) return { ...NO_FAULTS, whole: sentenceOf(error) };
  const fields: Record<string, FieldFault> = {};
  let beside = 0;
  for (const refusal of error.errors) {
    const { param = '' } = refusal;
    const field = fieldAt(resource, param);
    if (field === undefined) continue;
    beside += 1;
    const inside = param.slice(field.param.length + 1);
    const row = /^\d+$/.test(inside) ? Number(inside) : undefined;
    // People know the field by its label, and count its entries from 1.
    const called = `${field.label} ${row === undefined ? inside : row + 1}`.trim();
    const told = inWordsOfForm(field, typed) ?? refusalText(refusal, called);
    // The first of a field is the one to begin with.
    fields[field.param] ??= { says: told, ...(row === undefined ? {} : { row }) };
  }
  if (beside === 0) return { ...NO_FAULTS, whole: sentenceOf(error) };
  return { whole: beside === error.errors.length ? says.faults : sentenceOf(error), fields };
}

const EXTENSION = /(?:ext(?:ension|\.)?|x|#)\W*\d+(?=\W*$)/i;

/** What the service says of these is for programs. */
function inWordsOfForm(field: DescribedField, typed: Typed): string | undefined {
  const isEmpty = (typed[field.param] ?? '').trim() === '';
  if (isEmpty && !isContent(field) && !isList(field)) return says.needed(field.label);
  if (!isPhone(field)) return undefined;
  const [extension] = EXTENSION.exec(typed[field.param] ?? '') ?? [];
  return extension === undefined
    ? says.noPhone(field.label)
    : says.extension({ label: field.label, extension });
}

/** The field, or the one that contains it. */
function fieldAt(resource: DescribedResource, param: string): DescribedField | undefined {
  return (
    fieldOf(resource, param) ??
    resource.fields.find(
      (field) => (isContent(field) || isList(field)) && param.startsWith(`${field.param}.`),
    )
  );
}
