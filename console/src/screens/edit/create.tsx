/** Adds a record: what it belongs to, then its fields. What is typed stays until it is saved. */
import { edit as says, page as texts } from 'messages';
import { useEffect, useState } from 'preact/hooks';
import { useRecord } from '../../load.ts';
import { Button } from '../../parts/button.tsx';
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
import { faultsIn, patchOf, type Typed } from './typed.ts';

interface CreateProps {
  readonly resource: DescribedResource;
  readonly above?: Shown | undefined;
  readonly onClose: () => void;
}

export function Create({ resource, above, onClose }: CreateProps): JSX.Element {
  // Saved again after a lost answer, it is the same record.
  const [identifier] = useState(newIdentifier);
  const form = useRecordForm(resource, () => ({}));
  const { typed } = form;
  const [parent, setParent] = useState(above?.unique_identifier ?? usualParent(resource));
  const found = resourceNamed(resource.parent?.resource ?? '');
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
        {above === undefined && found !== undefined && (
          <OwnParent
            resource={found}
            chosen={parent}
            missing={missesParent && parent === undefined}
            onChoose={setParent}
          />
        )}
      </RecordForm>
    </Dialog>
  );
}

interface OwnParentProps {
  readonly resource: DescribedResource;
  readonly chosen: string | undefined;
  readonly missing: boolean;
  readonly onChoose: (id: string | undefined) => void;
}

/** What the record is to belong to; where there is one only, that. */
function OwnParent({ resource, chosen, missing, onChoose }: OwnParentProps): JSX.Element {
  const options = useParents(resource);
  const only = options?.length === 1 ? options[0]?.[0] : undefined;
  useEffect(() => {
    if (chosen === undefined && only !== undefined) onChoose(only);
  }, [chosen, only, onChoose]);
  return (
    <Parent
      resource={resource}
      label={resource.singular}
      isRequired
      fault={missing ? says.chooseOne(resource.singular.toLowerCase()) : undefined}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}

/** The location that the person looks at, if it is a single one. */
function usualParent({ parent }: DescribedResource): string | undefined {
  return parent?.resource === anchor?.name ? chosenLocation.value : undefined;
}

/** What every such record has, or the object that is begun. */
function missingIn({ fields }: DescribedResource, typed: Typed) {
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

interface ParentProps {
  readonly resource: DescribedResource;
  readonly label: string;
  /** What applies until one is chosen. */
  readonly none?: string;
  readonly isRequired?: boolean;
  readonly fault?: string | undefined;
  readonly chosen: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
}

export function Parent(props: ParentProps): JSX.Element {
  const { resource, label, none, isRequired = false, fault, chosen, onChoose } = props;
  const [picked, setPicked] = useState<Shown>();
  const options = useParents(resource);
  const isMany = options === undefined;
  const { value } = useRecord(resource, isMany && picked === undefined ? chosen : undefined);
  if (!isMany)
    return (
      <Labelled label={label} fault={fault}>
        {(common) => (
          <Select
            {...common}
            value={chosen ?? ''}
            options={[['', none ?? ''], ...options]}
            onChoose={(id) => onChoose(id || undefined)}
          />
        )}
      </Labelled>
    );
  const isPicked = chosen !== undefined;
  const shown = picked ?? value;
  return (
    <Labelled label={label} isRequired={isRequired} isGroup hint={isPicked ? undefined : none}>
      {() =>
        isPicked ? (
          <p class="line">
            <strong>{shown && titleOf(resource, shown)}</strong>{' '}
            <small>{shown && detailsOf(resource, shown).join(' · ')}</small>
            <Button class="plain link" label={texts.change} onClick={() => onChoose(undefined)} />
          </p>
        ) : (
          <PickRecord
            resource={resource}
            fault={fault}
            onPick={(record) => {
              setPicked(record);
              onChoose(record.unique_identifier);
            }}
          />
        )
      }
    </Labelled>
  );
}

/** Locations or accounts, by name; `undefined` for others, of which there are many. */
function useParents(resource: DescribedResource): readonly Option[] | undefined {
  const locations = useLocationNames();
  if (resource === anchor) return [...locations];
  if (resource.parent !== undefined) return undefined;
  return (session.value?.accounts ?? []).map((one) => [one.unique_identifier, one.name]);
}
