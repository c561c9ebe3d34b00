/** Corrects a record: only what changed is sent, and only onto the version that was looked at. */

import { record as ofRecord, edit as says, page as texts } from 'messages';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toJson } from '../../../../client/src/json.ts';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Submitted } from '../../parts/form.tsx';
import { Fault } from '../../parts/loading.tsx';
import { say } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { zoneOfRecord } from '../../places/homes.ts';
import type { DescribedField, DescribedResource } from '../../records/description.ts';
import { nameFirst } from '../../records/key-names.ts';
import type { OfRecord, Shown } from '../../records/records.ts';
import { etagOf, isRefusal, recordsOf } from '../../service/api.ts';
import { signedInFor } from '../../service/session.ts';
import { RecordForm, useRecordForm } from './record-form.tsx';
import { faultsIn, isOther, missingIn, patchOf, shownAs, type Typed, typedOf } from './typed.ts';

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
  const form = useRecordForm(resource, () => beside?.draft?.typed ?? typedOf(resource, base, zone));
  const { typed, faults } = form;
  const [theirs, setTheirs] = useState<Theirs>();

  const filled = toJson(typed) !== toJson(typedOf(resource, base, zone));
  const hear = useRef(beside?.onDraft);
  hear.current = beside?.onDraft;
  // Before the next key or click, which may lead away.
  useLayoutEffect(
    () => hear.current?.(filled ? { base, typed } : undefined),
    [base, typed, filled],
  );

  const save = async (from: Shown, values: Typed): Promise<void> => {
    const wrong = {
      ...faultsIn(resource, values, typedOf(resource, from, zone)),
      ...missingIn(resource, values),
    };
    if (Object.keys(wrong).length > 0) return form.complain({ whole: says.faults, fields: wrong });
    const patch = patchOf(resource, typedOf(resource, from, zone), values, zone);
    if (Object.keys(patch).length > 0) return form.attempt(() => send(from, values, patch), values);
    if (beside === undefined) form.complain({ whole: says.nothing, fields: {} });
    else onSaved();
  };
  const send = async (from: Shown, values: Typed, patch: object, isMerged = false) => {
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
    const mine = resource.fields.filter((field) => isOther(field, was, values, zone));
    const own = Object.fromEntries(mine.map(({ param }) => [param, values[param] ?? '']));
    const merged = { ...now, ...own };
    const contested = mine.filter(
      (field) => isOther(field, was, now, zone) && isOther(field, now, values, zone),
    );
    setBase(found.record);
    form.setTyped(merged);
    if (contested.length > 0) return setTheirs({ ...found, was, contested });
    if (!mine.some((field) => isOther(field, now, merged, zone))) return onSaved();
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

interface Theirs {
  readonly record: Shown;
  /** The identifier of the person, key or import that changed it last; `null` if that is not known. */
  readonly by: string | null;
  /** What the form began with, and the fields that both have changed since. */
  readonly was: Typed;
  readonly contested: readonly DescribedField[];
}

/** The record as it is now, and who made it so. */
async function theirsOf({ path }: DescribedResource, id: string) {
  const records = recordsOf(path);
  const [record, { data }] = await Promise.all([
    records.retrieve(id),
    records.history(id, { limit: 1 }).page(),
  ]);
  return { record, by: data[0]?.key ?? null };
}

interface ConflictProps {
  readonly resource: DescribedResource;
  readonly theirs: Theirs;
  readonly zone: string;
  /** All fields: what only they have changed is theirs. */
  readonly yours: Typed;
  readonly busy: boolean;
  readonly fault: string | undefined;
  readonly onClose: () => void;
  readonly onSave: (values: Typed) => void;
}

/** Another person has changed the record: shows the old values, theirs, and what you typed, field by field. */
function Conflict(props: ConflictProps): JSX.Element {
  const { resource, zone, yours, busy, fault, onClose, onSave } = props;
  const { record, by, was, contested } = props.theirs;
  const theirs = typedOf(resource, record, zone);
  const who = (by === null ? '' : nameFirst(by)) || ofRecord.somebody;
  /** The fields of which theirs is taken, with its values. */
  const [taken, setTaken] = useState<Typed>({});
  const choose = (param: string, isYours: boolean): void => {
    const { [param]: _, ...others } = taken;
    setTaken(isYours ? others : { ...others, [param]: theirs[param] ?? '' });
  };
  const choice = (
    field: DescribedField,
    which: string,
    { [field.param]: value }: Typed,
    isYours: boolean,
  ): JSX.Element => {
    const shown = shownAs(value, field, zone);
    return (
      <label class="switch">
        <input
          type="radio"
          name={field.param}
          aria-label={says.take({ which: `${which} (${shown})`, label: field.label })}
          checked={Object.hasOwn(taken, field.param) !== isYours}
          onChange={() => choose(field.param, isYours)}
        />
        <span>{shown}</span>
      </label>
    );
  };
  return (
    <Dialog title={says.conflict(who)} onClose={onClose} filled wide>
      <Submitted class="stack" busy={busy} onSubmit={() => onSave({ ...yours, ...taken })}>
        <p>{says.conflictHint}</p>
        <Fault says={fault} />
        <Table
          caption={says.conflictHint}
          columns={[
            { label: texts.what, cell: ({ label }) => label },
            {
              label: says.was,
              class: 'lines',
              cell: (field) => shownAs(was[field.param], field, zone),
            },
            {
              label: says.theirs,
              class: 'lines',
              cell: (field) => choice(field, says.theirs, theirs, false),
            },
            {
              label: says.yours,
              class: 'lines',
              cell: (field) => choice(field, says.yours, yours, true),
            },
          ]}
          rows={contested}
          keyOf={({ param }) => param}
        />
        <footer>
          <Cancel />
          <button type="submit" class="main" disabled={busy}>
            {texts.save}
          </button>
        </footer>
      </Submitted>
    </Dialog>
  );
}
