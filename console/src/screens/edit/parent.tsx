/** Chooses what records belong to: from a list where there are few, found by name where there are many. */
import { page as texts } from 'messages';
import { useState } from 'preact/hooks';
import { useRecord } from '../../load.ts';
import { Button } from '../../parts/button.tsx';
import { Labelled } from '../../parts/labelled.tsx';
import { PickRecord } from '../../parts/pick-record.tsx';
import { type Option, Select } from '../../parts/select.tsx';
import { useLocationNames } from '../../places/locations.ts';
import { anchor, type DescribedResource } from '../../records/description.ts';
import { detailsOf } from '../../records/details.ts';
import { type Shown, titleOf } from '../../records/records.ts';
import { session } from '../../service/session.ts';

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
export function useParents(resource: DescribedResource): readonly Option[] | undefined {
  const locations = useLocationNames();
  if (resource === anchor) return [...locations];
  if (resource.parent !== undefined) return undefined;
  return (session.value?.accounts ?? []).map((one) => [one.unique_identifier, one.name]);
}
