/** The order of fields beside an image. */
import type { DescribedResource } from '../../records/description.ts';
import { groupsOf, isFree } from '../../records/order.ts';

type Group = DescribedResource['groups'][number];

/** Groups the fields as a card is filled in: the name, where the person lives, how to reach them, what else stands on it. The images are before one's eyes. */
export function cardGroupsOf(resource: DescribedResource): readonly Group[] {
  const [{ heading, fields } = { fields: [] }, ...others] = groupsOf(resource);
  const [name = '', ...rest] = fields.filter((param) => param !== resource.images);
  const kinds = new Map(resource.fields.map(({ param, kind }) => [param, kind]));
  const isLast = (group: Group): boolean => group.fields.some((param) => isFree(kinds.get(param)));
  return [
    { ...(heading && { heading }), fields: [name] },
    ...others.filter((group) => !isLast(group)),
    { ...(heading && { heading }), fields: rest },
    ...others.filter(isLast),
  ].map((group) => ({
    ...group,
    fields: group.fields.filter((param) => param !== resource.images),
  }));
}
