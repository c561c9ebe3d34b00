/** Adds a record: what it belongs to, then its fields. What is typed stays until it is saved. */

import says from 'messages:edit';
import texts from 'messages:page';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { Labelled } from '../../parts/labelled.tsx';
import { say } from '../../parts/notice.tsx';
import { PickRecord } from '../../parts/pick-record.tsx';
import { type Option, Select } from '../../parts/select.tsx';
import { zoneOfRecord } from '../../places/homes.ts';
import { chosenLocation, useLocationNames } from '../../places/locations.ts';
import { zoneOf } from '../../places/zones.ts';
import { anchor, type DescribedResource, resourceNamed } from '../../records/description.ts';
import { detailsOf } from '../../records/details.ts';
import { type Shown, titleOf } from '../../records/records.ts';
import { go, hrefOf } from '../../router.ts';
import { ask } from '../../service/api.ts';
import { session, signedInFor } from '../../service/session.ts';
import { RecordForm, useRecordForm } from './record-form.tsx';
import type { FieldFault } from './structured.ts';
import { faultsIn, patchOf, type Typed } from './typed.ts';

interface CreateProps {
  readonly resource: DescribedResource;
  /** What it belongs to, where that is known. */
  readonly above?: Shown | undefined;
  readonly onClose: () => void;
}

export function Create({ resource, above, onClose }: CreateProps): JSX.Element {
  // Saved again after a lost answer, it is the same record.
  const [identifier] = useState(newIdentifier);
  const form = useRecordForm(resource, () => ({}));
  const { typed } = form;
  const [parent, setParent] = useState(above?.unique_identifier ?? usualParent(resource));
  const [missesParent, setMissesParent] = useState(false);
  // What belongs to a service has no times of its own.
  const zone = above === undefined ? zoneOf(parent) : zoneOfRecord(above);

  const save = async (): Promise<void> => {
    const wrong = { ...faultsIn(resource, typed), ...missingIn(resource, typed) };
    setMissesParent(parent === undefined);
    if (parent === undefined || Object.keys(wrong).length > 0)
      return form.complain({ whole: says.missing, fields: wrong });
    await form.attempt(async () => {
      const made = await signedInFor(() =>
        ask<Shown>('POST', `/v1/${resource.path}/upsert`, {
          ...patchOf(resource, {}, typed, zone),
          [resource.parent?.param ?? '']: parent,
          external_identifier: identifier,
        }),
      );
      say(says.added);
      onClose();
      go(hrefOf(`${resource.path}/${made.unique_identifier}`));
    }, typed);
  };

  return (
    <Dialog
      title={texts.record.add(resource.singular.toLowerCase())}
      onClose={onClose}
      filled={Object.values(typed).some((text) => text !== '')}
      wide
    >
      <RecordForm
        resource={resource}
        form={form}
        zone={zone}
        hint={says.identified(identifier)}
        onSubmit={() => void save()}
      >
        {above === undefined && (
          <Parent
            resource={resource}
            chosen={parent}
            missing={missesParent && parent === undefined}
            onChoose={setParent}
          />
        )}
      </RecordForm>
    </Dialog>
  );
}

/** What the record is to belong to: a choice where there are few, found by name where there are many. */
function Parent({
  resource,
  chosen,
  missing,
  onChoose,
}: {
  readonly resource: DescribedResource;
  readonly chosen: string | undefined;
  readonly missing: boolean;
  readonly onChoose: (id: string | undefined) => void;
}): JSX.Element | null {
  const [picked, setPicked] = useState<Shown>();
  const above = resourceNamed(resource.parent?.resource ?? '');
  const options = useOptions(above);
  const only = options.length === 1 ? options[0]?.[0] : undefined;
  useEffect(() => {
    if (chosen === undefined && only !== undefined) onChoose(only);
  }, [chosen, only, onChoose]);
  if (above === undefined) return null;
  const fault = missing ? says.chooseOne(above.singular.toLowerCase()) : undefined;
  if (above !== anchor && above.parent !== undefined) {
    return (
      <fieldset class="field wide">
        <legend>
          {above.singular} <small>{texts.required}</small>
        </legend>
        {picked !== undefined && chosen !== undefined ? (
          <p class="picked">
            <strong>{titleOf(above, picked)}</strong>{' '}
            <small>{detailsOf(above, picked).join(' · ')}</small>
            <button type="button" class="plain link" onClick={() => onChoose(undefined)}>
              {texts.change}
            </button>
          </p>
        ) : (
          <PickRecord
            resource={above}
            fault={fault}
            onPick={(record) => {
              setPicked(record);
              onChoose(record.unique_identifier);
            }}
          />
        )}
      </fieldset>
    );
  }
  return (
    <Labelled label={above.singular} fault={fault}>
      {(common) => (
        <Select
          {...common}
          value={chosen ?? ''}
          options={[['', ''], ...options]}
          onChoose={(id) => onChoose(id || undefined)}
        />
      )}
    </Labelled>
  );
}

/** Locations or accounts, by name. */
function useOptions(above: DescribedResource | undefined): readonly Option[] {
  const locations = useLocationNames();
  if (above !== undefined && above === anchor) return [...locations];
  if (above?.parent !== undefined) return [];
  return (session.value?.accounts ?? []).map((one) => [one.unique_identifier, one.name]);
}

/** The location that the person looks at, if it is a single one. */
function usualParent({ parent }: DescribedResource): string | undefined {
  return parent?.resource === anchor?.name ? chosenLocation.value : undefined;
}

/** What every such record has, or the object that is begun. */
function missingIn(
  { fields }: DescribedResource,
  typed: Typed,
): Readonly<Record<string, FieldFault>> {
  const isFilled = (param: string): boolean => (typed[param] ?? '').trim() !== '';
  return Object.fromEntries(
    fields
      .filter(({ param, required, required_within: within }) => {
        if (isFilled(param)) return false;
        if (required === true) return true;
        return (
          within !== undefined &&
          fields.some((one) => one.param.startsWith(`${within}.`) && isFilled(one.param))
        );
      })
      .map(({ param, label }) => [param, { says: says.needed(label) }]),
  );
}

const IDENTIFIER_BYTES = 12;

/** Makes an identifier by chance alone: no system sends the same. */
function newIdentifier(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(IDENTIFIER_BYTES));
  return `staff-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
