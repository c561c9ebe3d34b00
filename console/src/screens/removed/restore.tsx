/** Restores a removal after a dry run has shown its extent, or undoes one at once. */
import { removed as says } from 'messages';
import type { Removal, RestoredRemoval } from '../../../../client/src/generated/objects.d.ts';
import { question } from '../../parts/form.tsx';
import { sentenceOf } from '../../parts/loading.tsx';
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

/** Restores all of a removal, and says so. */
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
