/** Earlier imports, and undoing them. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Import } from '../../generated/objects.ts';
import { useLoad } from '../../load.ts';
import { Decide } from '../../parts/decide.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { say } from '../../parts/notice.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Table } from '../../parts/table.tsx';
import { resourceAt } from '../../records/description.ts';
import { ask, type PageOf } from '../../service/api.ts';
import { signedInFor } from '../../service/session.ts';
import { Time } from '../../values/value.tsx';
import { CountList, Refused } from './result.tsx';
import { says } from './texts.ts';

/** `again` changes when there is another one. */
export function Earlier({ again }: { readonly again: number }): JSX.Element | null {
  const [undoing, setUndoing] = useState<Import>();
  const [shown, setShown] = useState<Import>();
  const { value, error, reload } = useLoad('imports', (signal) =>
    ask<PageOf<Import>>('GET', '/imports', undefined, { signal }),
  );
  useEffect(() => {
    if (again > 0) reload();
  }, [again, reload]);
  if (error !== undefined) return <Failure error={error} onAgain={reload} />;
  if (value === undefined || value.data.length === 0) return null;
  return (
    <section class="import-earlier">
      <h2>{says.earlier}</h2>
      <Table
        caption={says.earlier}
        columns={[
          { label: says.file, cell: ({ files }) => files.map(({ name }) => name).join(', ') },
          {
            label: says.what,
            cell: ({ files }) =>
              files.map(({ resource }) => resourceAt(resource)?.plural ?? resource).join(', '),
          },
          { label: says.when, cell: ({ inserted_at }) => <Time at={inserted_at} /> },
          {
            label: says.outcome,
            cell: (entry) => (
              <>
                {entry.status === 'running' && (
                  <span class="tag warn">{says.statuses.running}</span>
                )}
                <CountList counts={entry.counts} />
                {entry.counts.failed > 0 && (
                  <button type="button" class="plain link" onClick={() => setShown(entry)}>
                    {says.refused}
                  </button>
                )}
              </>
            ),
          },
          {
            label: says.undo,
            cell: (entry) =>
              entry.status === 'undone' || entry.status === 'undoing' ? (
                <span class="quiet">{says.statuses[entry.status]}</span>
              ) : (
                <button type="button" onClick={() => setUndoing(entry)}>
                  {says.undo}
                </button>
              ),
          },
        ]}
        rows={value.data}
        keyOf={({ unique_identifier }) => unique_identifier}
      />
      {shown !== undefined && <RefusedRows entry={shown} onClose={() => setShown(undefined)} />}
      {undoing !== undefined && (
        <Undo
          entry={undoing}
          onClose={(done) => {
            setUndoing(undefined);
            if (done) reload();
          }}
        />
      )}
    </section>
  );
}

/** What an import has refused, which may have been left before it ended. */
function RefusedRows({
  entry,
  onClose,
}: {
  readonly entry: Import;
  readonly onClose: () => void;
}): JSX.Element {
  const { unique_identifier, files, counts } = entry;
  const { value, error, reload } = useLoad(`refused ${unique_identifier}`, (signal) =>
    ask<{ readonly rows: string }>('GET', `/imports/${unique_identifier}/rejected`, undefined, {
      signal,
    }),
  );
  const name = files.map((file) => file.name).join(', ');
  return (
    <Dialog title={says.refusedOf(name)} onClose={onClose} wide>
      {error !== undefined && <Failure error={error} onAgain={reload} />}
      {value === undefined && error === undefined && <Skeleton rows={4} />}
      {value !== undefined && <Refused text={value.rows} count={counts.failed} name={name} />}
    </Dialog>
  );
}

interface Undone {
  readonly removed: number;
  readonly restored: number;
  readonly kept: number;
}

function Undo({
  entry,
  onClose,
}: {
  readonly entry: Import;
  readonly onClose: (done: boolean) => void;
}): JSX.Element {
  const path = `/imports/${entry.unique_identifier}/undo`;
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>();
  const { value, error, reload } = useLoad(`undo ${entry.unique_identifier}`, (signal) =>
    ask<Undone>('POST', path, { dry_run: true }, { signal }),
  );
  const undo = async (): Promise<void> => {
    setBusy(true);
    try {
      await signedInFor(() => ask('POST', path, { dry_run: false }));
      say(says.undone);
      onClose(true);
    } catch (caught) {
      setRefusal(caught);
      setBusy(false);
    }
  };
  return (
    <Dialog title={says.undoTitle} onClose={() => onClose(false)} closable={!busy}>
      {error !== undefined && <Failure error={error} onAgain={reload} />}
      {refusal !== undefined && <Failure error={refusal} />}
      {value === undefined && error === undefined && <Skeleton rows={2} />}
      {value !== undefined && (
        <>
          <p>{says.undoWould(value.removed, value.restored)}</p>
          {value.kept > 0 && <p class="hint">{says.undoKept(value.kept)}</p>}
          <Decide
            submit={busy ? says.undoing : says.undo}
            danger
            disabled={busy}
            onSubmit={() => void undo()}
          />
        </>
      )}
    </Dialog>
  );
}
