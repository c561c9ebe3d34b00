/** Adds a record: what it belongs to, then its fields. What is typed stays until it is saved. */
import { edit as says, page as texts } from 'messages';
import { useEffect, useState } from 'preact/hooks';
import { useRecord } from '../../load.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Control, Labelled } from '../../parts/labelled.tsx';
import { say } from '../../parts/notice.tsx';
import { PickRecord } from '../../parts/pick-record.tsx';
import { type Option, Select } from '../../parts/select.tsx';
import { zoneOfRecord } from '../../places/homes.ts';
import { chosenLocation, useLocationNames } from '../../places/locations.ts';
import { zoneOf } from '../../places/zones.ts';
import { anchor, type DescribedResource, resourceNamed } from '../../records/description.ts';
import { detailsOf } from '../../records/details.ts';
import { MADE_UP, type Shown, titleOf } from '../../records/records.ts';
import { go, hrefOf } from '../../router.ts';
import { ask, isRefusal } from '../../service/api.ts';
import { session, signedInFor } from '../../service/session.ts';
import { RecordForm, useRecordForm } from './record-form.tsx';
import { faultsIn, missingIn, patchOf } from './typed.ts';

interface CreateProps {
  readonly resource: DescribedResource;
  readonly above?: Shown | undefined;
  readonly onClose: () => void;
}

export function Create({ resource, above, onClose }: CreateProps): JSX.Element {
  // Saved again after a lost answer, it is the same record.
  const [made] = useState(newIdentifier);
  const [number, setNumber] = useState('');
  const [taken, setTaken] = useState(false);
  const identifier = number.trim() || made;
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
      setTaken(false);
      const record = await signedInFor(() =>
        ask<Shown>(
          'POST',
          `/v1/${resource.path}/upsert`,
          {
            ...patchOf(resource, {}, typed, zone),
            [resource.parent?.param ?? '']: parent,
            external_identifier: identifier,
          },
          // What people type may be that of another record, which stays as it is.
          identifier === made ? {} : { headers: { 'If-None-Match': '*' } },
        ),
      ).catch((error: unknown) => {
        if (isRefusal(error) && error.code === 'record_exists') setTaken(true);
        throw error;
      });
      say(says.added);
      onClose();
      go(hrefOf(`${resource.path}/${record.unique_identifier}`));
    }, typed);
  };

  return (
    <Dialog
      title={texts.record.add(resource.singular.toLowerCase())}
      onClose={onClose}
      filled={[number, ...Object.values(typed)].some((text) => text !== '')}
      wide
    >
      <RecordForm
        resource={resource}
        form={form}
        zone={zone}
        hint={number.trim() === '' ? says.identified(made) : ''}
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
        {resource.identifier !== undefined && (
          <Labelled
            label={resource.identifier}
            fault={taken ? says.taken(resource.identifier) : undefined}
          >
            {(common) => (
              <Control
                common={common}
                name="external_identifier"
                max={200}
                value={number}
                onType={(text) => {
                  setTaken(false);
                  setNumber(text);
                }}
              />
            )}
          </Labelled>
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

const IDENTIFIER_BYTES = 12;

/** Makes an identifier by chance alone: no system sends the same. */
export function newIdentifier(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(IDENTIFIER_BYTES));
  return `${MADE_UP}${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
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
      <Labelled label={label} isRequired={isRequired} fault={fault}>
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
