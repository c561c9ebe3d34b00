/** Places a hold: on a record that is looked at, on a location, or on everything. */
import { holds as says } from 'messages';
import type { Hold } from '../../../../client/src/generated/objects.d.ts';
import * as bounds from '../../generated/bounds.ts';
import { useRecord } from '../../load.ts';
import { FormDialog } from '../../parts/form.tsx';
import { useLocationNames } from '../../places/locations.ts';
import { usualZone } from '../../places/zones.ts';
import { resourceNamed, resourceOf } from '../../records/description.ts';
import { titleOf } from '../../records/records.ts';
import { hrefOf } from '../../router.ts';
import { api, recordsOf } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { midnight, momentIn, withOffset } from '../../values/days.ts';

interface PlaceProps {
  /** The unique identifier of the record that is looked at. */
  readonly record: string | undefined;
  readonly onClose: () => void;
  readonly onPlaced: () => void;
}

export function Place({ record, onClose, onPlaced }: PlaceProps): JSX.Element {
  const accounts = session.value?.accounts ?? [];
  const locations = useLocationNames();
  const name = useNameOf(record);
  const zone = usualZone.value;
  const all = accounts.map((one) => [one.unique_identifier, says.everything(one.name)] as const);
  const of = record === undefined ? [...all, ...locations] : ([[record, name ?? '…']] as const);
  return (
    <FormDialog
      title={says.place}
      bounds={bounds.place_hold}
      hint={says.placeHint}
      submit={says.place}
      begin={{
        record: record ?? accounts[0]?.unique_identifier ?? '',
        matter: '',
        reason: '',
        until: '',
      }}
      fields={{
        record: { label: says.what, of, ...(record === undefined && { hint: says.service }) },
        matter: { label: says.matter, hint: says.matterHint, needed: true },
        reason: { label: says.reason, of: 'lines' },
        until: {
          label: says.until,
          hint: says.untilHint,
          of: 'date',
          days: { min: withOffset(midnight(zone, new Date(), 1), zone).slice(0, 10) },
        },
      }}
      send={async ({ record: held, matter, reason, until }) => {
        const account = await accountOf(held);
        return api.holds.create({
          account,
          matter,
          ...(held === account ? {} : { record: held }),
          ...(reason === '' ? {} : { reason }),
          ...(until === '' ? {} : { until: withOffset(momentIn(zone, until), zone) }),
        });
      }}
      onDone={onPlaced}
      onClose={onClose}
    />
  );
}

/** Its history tells the account of a record, where there is more than one. */
async function accountOf(held: string): Promise<string> {
  const [only = '', ...others] = (session.value?.accounts ?? []).map(
    (one) => one.unique_identifier,
  );
  if (others.length === 0 || others.includes(held) || held === only)
    return others.includes(held) ? held : only;
  const history = recordsOf(resourceOf(held)?.path ?? '').history(held, { limit: 1 });
  return (await history.page()).data[0]?.account ?? '';
}

/** `undefined` until it is known; its kind where it is no longer there. */
export function useNameOf(record: string | undefined): string | undefined {
  const group = session.value?.accounts.find((one) => one.unique_identifier === record);
  const resource = record === undefined ? undefined : resourceOf(record);
  const isAlone = group !== undefined || resource === undefined;
  const { value, error } = useRecord(resource, isAlone ? undefined : record);
  if (group !== undefined) return says.everything(group.name);
  if (value === undefined || resource === undefined)
    return error === undefined && !isAlone ? undefined : (resource?.singular ?? record);
  return titleOf(resource, value);
}

export function Held({ of: { record, resource: name } }: { readonly of: Hold }): JSX.Element {
  const resource = resourceNamed(name);
  const called = useNameOf(record) ?? resource?.singular ?? name;
  if (resource?.parent === undefined) return <>{called}</>;
  return (
    <>
      <a href={hrefOf(`${resource.path}/${record}`)}>{called}</a>
      <small class="under quiet">{resource.singular}</small>
    </>
  );
}
