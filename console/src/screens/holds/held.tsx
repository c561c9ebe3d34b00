/** What a hold is on, by its name. */
import { holds as says } from 'messages';
import type { Hold } from '../../../../client/src/generated/objects.d.ts';
import { useRecord } from '../../load.ts';
import { resourceNamed, resourceOf } from '../../records/description.ts';
import { titleOf } from '../../records/records.ts';
import { hrefOf } from '../../router.ts';
import { session } from '../../service/session.ts';

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
