/** Restores a removal after a dry run has shown its extent, or undoes one at once. */
import { removed as says } from 'messages';
import type { Removal, RestoredRemoval } from '../../../../client/src/generated/objects.d.ts';
import { useLoad } from '../../load.ts';
import { FormDialog } from '../../parts/form.tsx';
import { Loading, sentenceOf } from '../../parts/loading.tsx';
import { say } from '../../parts/notice.tsx';
import { resourceNamed } from '../../records/description.ts';
import { refusalText } from '../../refusals.ts';
import { go, hrefOf } from '../../router.ts';
import { api } from '../../service/api.ts';
import { signedInFor } from '../../service/session.ts';
import { unturned } from '../../values/format.ts';

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
  return [says.left(left_count), ...named, ...(others > 0 ? [says.leftMore(others)] : [])];
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

interface RestoreProps {
  readonly removal: Removal;
  readonly onClose: () => void;
  readonly onRestored: () => void;
}

export function Restore({ removal, onClose, onRestored }: RestoreProps): JSX.Element {
  const { unique_identifier: id } = removal;
  const load = useLoad(`restore of ${id}`, (signal) =>
    api.removals.restore(id, { dry_run: true }, { signal }),
  );
  return (
    <FormDialog
      title={says.sure(nameOf(removal))}
      hint={
        <Loading of={load}>
          {(value) => (
            <>
              <p>{says.would(value.restored)}</p>
              {value.left_count > 0 && (
                <ul>
                  {linesOf(value).map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              )}
            </>
          )}
        </Loading>
      }
      submit={says.restore}
      isReady={(load.value?.restored ?? 0) > 0}
      send={() => api.removals.restore(id)}
      onDone={(done) => {
        sayRestored(done);
        onRestored();
      }}
      onClose={onClose}
    />
  );
}
