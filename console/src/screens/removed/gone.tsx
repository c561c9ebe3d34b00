/** The page of a removed record: whom it was about, when it was removed and with what, and how to restore it. */

import { removed as says, page as texts } from 'messages';
import type { Removal } from '../../../../client/src/generated/objects.d.ts';
import { useLoad } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { Heading } from '../../parts/heading.tsx';
import { zoneOf } from '../../places/zones.ts';
import type { DescribedResource } from '../../records/description.ts';
import { titleOf } from '../../records/records.ts';
import { hrefOf } from '../../router.ts';
import { api, recordsOf } from '../../service/api.ts';
import { may } from '../../service/session.ts';
import { momentText } from '../../values/format.ts';
import { History } from '../record/history.tsx';
import { nameOf, restoreForm } from './restore.tsx';

interface GoneProps {
  readonly resource: DescribedResource;
  readonly id: string;
  readonly onRestored: () => void;
}

export function Gone({ resource, id, onRestored }: GoneProps): JSX.Element {
  const { dialog, ask } = useActions();
  const { value } = useLoad(`what was at ${resource.path}/${id}`, async (signal) => {
    const records = recordsOf(resource.path);
    const { data } = await records.history(id, { limit: 1 }, { signal }).page();
    const [last] = data;
    if (last?.outcome !== 'deleted') return undefined;
    const [record, removals] = await Promise.all([
      // Without its content, it has no name.
      records.retrieve(id, { version: last.version - 1, signal }).catch(() => undefined),
      api.removals.list({ account: last.account, record: id }, { signal }).page(),
    ]);
    const [removal] = removals.data;
    const name = record === undefined ? undefined : titleOf(resource, record);
    return { name, removal, at: last.occurred_at };
  });
  const removal = value?.removal;
  const title = value?.name ?? resource.singular;
  return (
    <>
      <Heading
        title={title}
        about={
          value === undefined
            ? texts.record.gone
            : storyText(
                title,
                momentText(value.at, zoneOf(removal?.location ?? undefined)),
                togetherWith(id, removal),
              )
        }
        way={<a href={hrefOf(resource.path)}>{resource.plural}</a>}
      >
        {removal !== undefined && may('write') && (
          <Button
            class="main"
            label={removal.count > 1 ? says.everything : says.restore}
            onClick={() => ask({ ...restoreForm(removal), onDone: onRestored })}
          />
        )}
      </Heading>
      <History resource={resource} id={id} record={undefined} onRestored={onRestored} />
      {dialog}
    </>
  );
}

function togetherWith(id: string, removal: Removal | undefined): string {
  if (removal === undefined || removal.count === 1) return '';
  return removal.record === id ? says.others(removal.count - 1) : nameOf(removal);
}

function storyText(name: string, when: string, together: string): string {
  return together === '' ? says.story({ name, when }) : says.storyWith({ name, when, together });
}
