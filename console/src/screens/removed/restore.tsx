/** Restores a removal after a dry run has shown its extent, or undoes one at once. */
import { removed as says, page as texts } from 'messages';
import type { Removal, RestoredRemoval } from '../../../../client/src/generated/objects.d.ts';
import { useLoad } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { question } from '../../parts/form.tsx';
import { Heading, sentenceOf } from '../../parts/loading.tsx';
import { say } from '../../parts/notice.tsx';
import { zoneOf } from '../../places/zones.ts';
import { resourceNamed } from '../../records/description.ts';
import { type ById, titleOf } from '../../records/records.ts';
import { refusalText } from '../../refusals.ts';
import { go, hrefOf } from '../../router.ts';
import { api, recordsOf } from '../../service/api.ts';
import { may, signedInFor } from '../../service/session.ts';
import { momentText, unturned } from '../../values/format.ts';
import { History } from '../record/history.tsx';

/** The others are counted. */
const MAX_NAMED = 5;

export function nameOf({ name, external_identifier }: Removal): string {
  return unturned(name ?? external_identifier);
}

/** Where its first record is, or was. */
export function hrefOfRecord({ resource, record }: Pick<Removal, 'resource' | 'record'>): string {
  return hrefOf(`${resourceNamed(resource)?.path ?? resource}/${record}`);
}

/** What stays removed, and why, in lines. */
function linesOf({ left, left_count }: RestoredRemoval): readonly string[] {
  const named = left.slice(0, MAX_NAMED).map(({ resource, external_identifier, ...why }) => {
    const what = resourceNamed(resource)?.singular ?? resource;
    return says.leftOne({ what, name: external_identifier, why: refusalText(why) });
  });
  const others = left_count - named.length;
  if (left_count === 0) return [];
  return [says.left(left_count), ...named, ...(others > 0 ? [texts.andMore(others)] : [])];
}

function sayRestored(done: RestoredRemoval): void {
  const more = linesOf(done);
  say(says.done(done.restored), more.length > 0 ? { more } : {});
}

/** Restores all of it, says so, and goes to the record. */
export async function undoRemoval(id: string, href: string): Promise<void> {
  try {
    const done = await signedInFor(() => api.removals.restore(id));
    sayRestored(done);
    if (done.restored > 0) go(href);
  } catch (error) {
    if (!(error instanceof DOMException)) say(sentenceOf(error), { more: [] });
  }
}

export function restoreForm(removal: Removal) {
  const { unique_identifier: id } = removal;
  return question({
    title: says.sure(nameOf(removal)),
    rehearsal: {
      of: `restore of ${id}`,
      load: (signal) => api.removals.restore(id, { dry_run: true }, { signal }),
      says: (found) => (
        <>
          <p>{says.would(found.restored)}</p>
          {found.left_count > 0 && (
            <ul>
              {linesOf(found).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )}
        </>
      ),
      isReady: ({ restored }) => restored > 0,
    },
    submit: says.restore,
    async send() {
      const done = await api.removals.restore(id);
      sayRestored(done);
      return done;
    },
  });
}

/** The page of a removed record: whom it was about, when it was removed and with what, and how to restore it. */
export function Gone(props: ById & { readonly onRestored: () => void }): JSX.Element {
  const { resource, id, onRestored } = props;
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
