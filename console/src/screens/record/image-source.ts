/** Where the images of a record are: at the service, by record and number. */
import { fieldOf } from '../../records/description.ts';
import { type OfRecord, valueIn } from '../../records/records.ts';
import { session } from '../../service/session.ts';

export const API = '/console/api';

export function imageCount({ resource, record }: OfRecord): number {
  const field = resource.images === undefined ? undefined : fieldOf(resource, resource.images);
  const urls = field === undefined ? undefined : valueIn(resource, record, field);
  return Array.isArray(urls) ? urls.length : 0;
}

/** Says in its address whose page it is: image elements send no header. */
export function imageSource({ resource, record }: OfRecord, index: number): string {
  const path = `${API}/v1/${resource.path}/${record.unique_identifier}/images/${index}`;
  const person = session.value?.staff.unique_identifier;
  return person === undefined ? path : `${path}?person=${person}`;
}
