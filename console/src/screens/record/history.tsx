/** What happened to a record: each change with what it was before, and the way back. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type Change, etagOf, isRefusal, recordsOf } from '../../api.ts';
import { type DescribedResource, fieldOf } from '../../description.ts';
import { useLoad } from '../../load.ts';
import { Decide } from '../../parts/decide.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure, sentenceOf } from '../../parts/failure.tsx';
import { Fault } from '../../parts/fault.tsx';
import { say } from '../../parts/notice.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import type { Shown } from '../../records.ts';
import { may, signedInFor } from '../../session.ts';
import { texts } from '../../texts.ts';
import { Time, textOfValue } from '../../values/value.tsx';

const says = texts.history;
const PAGE = 30;

interface HistoryProps {
  readonly resource: DescribedResource;
  readonly id: string;
  /** As it is; `undefined` where it was removed. */
  readonly record: Shown | undefined;
  readonly onRestored: () => void;
}

export function History({ resource, id, record, onRestored }: HistoryProps): JSX.Element | null {
  const [pages, setPages] = useState(1);
  const [chosen, setChosen] = useState<Change>();
  const version = record === undefined ? 'removed' : (etagOf(record) ?? record.updated_at);
  const { value, error, reload } = useLoad(
    `history of ${id} at ${version}, ${pages}`,
    async (signal) => {
      const changes: Change[] = [];
      let more = true;
      for (let page = 0; page < pages && more; page += 1) {
        const after = changes.at(-1)?.unique_identifier;
        const params = { limit: PAGE, ...(after === undefined ? {} : { starting_after: after }) };
        const next = await recordsOf(resource.path).history(id, params, { signal }).page();
        changes.push(...next.data);
        more = next.has_more;
      }
      return { changes, more };
    },
  );
  // Of what was never there, or is another's, there is no more to say than that.
  if (record === undefined && isRefusal(error) && error.status === 404) return null;
  if (error !== undefined) return <Failure error={error} onAgain={reload} />;
  if (value === undefined) return <Skeleton />;
  const { changes, more } = value;
  if (changes.length === 0) return <Empty title={says.none} />;
  return (
    <>
      <ol class="history">
        {changes.map((change, index) => (
          <li key={change.unique_identifier}>
            <Entry
              resource={resource}
              change={change}
              onBring={
                may('write') && change.outcome !== 'deleted' && (index > 0 || record === undefined)
                  ? () => setChosen(change)
                  : undefined
              }
            />
          </li>
        ))}
      </ol>
      {more && (
        <button type="button" onClick={() => setPages(pages + 1)}>
          {says.more}
        </button>
      )}
      {chosen !== undefined && (
        <BringBack
          resource={resource}
          id={id}
          record={record}
          change={chosen}
          onClose={() => setChosen(undefined)}
          onDone={() => {
            setChosen(undefined);
            say(says.done);
            onRestored();
          }}
        />
      )}
    </>
  );
}

function Entry({
  resource,
  change,
  onBring,
}: {
  readonly resource: DescribedResource;
  readonly change: Change;
  readonly onBring: (() => void) | undefined;
}): JSX.Element {
  return (
    <>
      <header>
        <strong>{says.outcomes[change.outcome] ?? change.outcome}</strong>
        <Time at={change.occurred_at} />
        <span class="quiet">{says.version(change.version)}</span>
        {onBring !== undefined && (
          <button type="button" class="plain link" onClick={onBring}>
            {says.bringBack}
          </button>
        )}
      </header>
      {change.changes === null && <p class="quiet">{says.unkept}</p>}
      {change.outcome !== 'created' && (change.changes?.length ?? 0) > 0 && (
        <dl>
          {change.changes?.map(({ member, before, after }) => {
            const field = fieldOf(resource, member);
            return (
              <div key={member}>
                <dt>{field?.label ?? member}</dt>
                <dd>
                  <ins>{textOfValue(after, field) || says.empty}</ins>{' '}
                  <del>
                    <span class="unseen">{says.was} </span>
                    {textOfValue(before, field) || says.empty}
                  </del>
                </dd>
              </div>
            );
          })}
        </dl>
      )}
    </>
  );
}

function BringBack({
  resource,
  id,
  record,
  change,
  onClose,
  onDone,
}: {
  readonly resource: DescribedResource;
  readonly id: string;
  readonly record: Shown | undefined;
  readonly change: Change;
  readonly onClose: () => void;
  readonly onDone: () => void;
}): JSX.Element {
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const restore = async (): Promise<void> => {
    setBusy(true);
    try {
      const ifMatch = record === undefined ? undefined : etagOf(record);
      await signedInFor(() =>
        recordsOf(resource.path).restore(id, { version: change.version, ifMatch }),
      );
      onDone();
    } catch (error) {
      setFault(sentenceOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={says.confirm(change.version)} onClose={onClose}>
      <p>{says.confirmHint}</p>
      <Fault says={fault} />
      <Decide submit={says.bringBack} disabled={busy} onSubmit={() => void restore()} />
    </Dialog>
  );
}
