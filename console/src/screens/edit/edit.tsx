/** Corrects a record: only what changed is sent, and only onto the version that was looked at. */
import { edit as says } from 'messages';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { say } from '../../parts/notice.tsx';
import { zoneOfRecord } from '../../places/homes.ts';
import type { OfRecord, Shown } from '../../records/records.ts';
import { etagOf, isRefusal, recordsOf } from '../../service/api.ts';
import { signedInFor } from '../../service/session.ts';
import { Conflict, type Theirs, theirsOf } from './conflict.tsx';
import { RecordForm, useRecordForm } from './record-form.tsx';
import { faultsIn, isOther, patchOf, type Typed, typedOf } from './typed.ts';

interface EditProps extends OfRecord {
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

export function Edit(props: EditProps): JSX.Element {
  const { resource, record, onClose, onSaved, beside } = props;
  const { unique_identifier: id } = record;
  const zone = zoneOfRecord(record);
  const [base, setBase] = useState(beside?.draft?.base ?? record);
  const form = useRecordForm(
    resource,
    () => beside?.draft?.typed ?? typedOf(resource, record, zone),
  );
  const { typed, faults } = form;
  const [theirs, setTheirs] = useState<Theirs>();

  const filled = JSON.stringify(typed) !== JSON.stringify(typedOf(resource, base, zone));
  const hear = useRef(beside?.onDraft);
  hear.current = beside?.onDraft;
  useEffect(() => hear.current?.(filled ? { base, typed } : undefined), [base, typed, filled]);

  const save = async (from: Shown, values: Typed): Promise<void> => {
    const wrong = faultsIn(resource, values);
    if (Object.keys(wrong).length > 0) return form.complain({ whole: says.faults, fields: wrong });
    const patch = patchOf(resource, typedOf(resource, from, zone), values, zone);
    if (Object.keys(patch).length > 0) return form.attempt(() => send(from, values, patch), values);
    if (beside === undefined) form.complain({ whole: says.nothing, fields: {} });
    else onSaved();
  };
  const send = async (
    from: Shown,
    values: Typed,
    patch: object,
    isMerged = false,
  ): Promise<void> => {
    try {
      await signedInFor(() => recordsOf(resource.path).patch(id, patch, { ifMatch: etagOf(from) }));
      onSaved();
      if (isMerged) say(says.merged);
    } catch (error) {
      if (!isRefusal(error) || error.status !== 412) throw error;
      await meetTheirs(from, values);
    }
  };

  /** What only one of both has changed stays; what both have changed needs a decision. */
  const meetTheirs = async (from: Shown, values: Typed): Promise<void> => {
    const found = await signedInFor(() => theirsOf(resource, id));
    const [was, now] = [typedOf(resource, from, zone), typedOf(resource, found.record, zone)];
    const mine = resource.fields.filter((field) => isOther(field, was, values));
    const own = Object.fromEntries(mine.map(({ param }) => [param, values[param] ?? '']));
    const merged = { ...now, ...own };
    const contested = mine.filter(
      (field) => isOther(field, was, now) && isOther(field, now, values),
    );
    setBase(found.record);
    form.setTyped(merged);
    if (contested.length > 0) return setTheirs({ ...found, was, contested });
    if (!mine.some((field) => isOther(field, now, merged))) return onSaved();
    await send(found.record, merged, patchOf(resource, now, merged, zone), true);
  };

  if (theirs !== undefined) {
    return (
      <Conflict
        resource={resource}
        theirs={theirs}
        zone={zone}
        yours={typed}
        busy={form.busy}
        fault={faults.whole}
        onClose={onClose}
        onSave={(values) => {
          form.setTyped(values);
          setTheirs(undefined);
          void save(base, values);
        }}
      />
    );
  }
  const title = says.title(resource.singular.toLowerCase());
  const content = (
    <RecordForm
      resource={resource}
      form={form}
      zone={zone}
      label={title}
      hint={says.partner}
      submit={beside?.submit}
      onCard={beside !== undefined}
      onSubmit={() => void save(base, typed)}
    />
  );
  if (beside !== undefined) return content;
  return (
    <Dialog title={title} onClose={onClose} filled={filled} wide>
      {content}
    </Dialog>
  );
}
