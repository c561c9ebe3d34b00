/** Earlier imports, and undoing them. */
import { feeds, imports as says, page as texts } from 'messages';
import type { Import } from '../../generated/objects.ts';
import { useLoad } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { Failure, Loading } from '../../parts/loading.tsx';
import { say } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { resourceAt } from '../../records/description.ts';
import { ask, type PageOf } from '../../service/api.ts';
import { Time } from '../../values/value.tsx';
import { CountList, Refused } from './result.tsx';

/** `again` changes when there is another one. */
export function Earlier({ again }: { readonly again: number }): JSX.Element | null {
  const { dialog, open } = useActions();
  const { value, error, reload } = useLoad(`imports ${again}`, (signal) =>
    ask<PageOf<Import>>('GET', '/imports', undefined, { signal }),
  );
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
          { label: texts.when, cell: ({ inserted_at }) => <Time at={inserted_at} /> },
          {
            label: feeds.syncs.outcome,
            cell: (entry) => (
              <>
                {entry.status === 'running' && (
                  <span class="tag warn">{says.statuses.running}</span>
                )}
                <CountList counts={entry.counts} />
                {entry.counts.failed > 0 && (
                  <button
                    type="button"
                    class="plain link"
                    onClick={() => open((close) => <RefusedRows entry={entry} onClose={close} />)}
                  >
                    {says.refused}
                  </button>
                )}
              </>
            ),
          },
          {
            label: texts.undo,
            cell: (entry) =>
              entry.status === 'undone' || entry.status === 'undoing' ? (
                <span class="quiet">{says.statuses[entry.status]}</span>
              ) : (
                <button
                  type="button"
                  onClick={() =>
                    open((close) => <Undo entry={entry} onClose={close} onUndone={reload} />)
                  }
                >
                  {texts.undo}
                </button>
              ),
          },
        ]}
        rows={value.data}
      />
      {dialog}
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
  const load = useLoad(`refused ${unique_identifier}`, (signal) =>
    ask<{ readonly rows: string }>('GET', `/imports/${unique_identifier}/rejected`, undefined, {
      signal,
    }),
  );
  const name = files.map((file) => file.name).join(', ');
  return (
    <Dialog title={says.refusedOf(name)} onClose={onClose} wide>
      <Loading of={load} rows={4}>
        {({ rows }) => <Refused text={rows} count={counts.failed} name={name} />}
      </Loading>
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
  onUndone,
}: {
  readonly entry: Import;
  readonly onClose: () => void;
  readonly onUndone: () => void;
}): JSX.Element {
  const path = `/imports/${entry.unique_identifier}/undo`;
  const load = useLoad(`undo ${entry.unique_identifier}`, (signal) =>
    ask<Undone>('POST', path, { dry_run: true }, { signal }),
  );
  return (
    <FormDialog
      title={says.undoTitle}
      hint={
        <Loading of={load}>
          {(value) => (
            <>
              <p>{wouldText(value)}</p>
              {value.kept > 0 && <p class="hint">{says.undoKept(value.kept)}</p>}
            </>
          )}
        </Loading>
      }
      submit={texts.undo}
      danger
      isReady={load.value !== undefined}
      send={() => ask('POST', path, { dry_run: false })}
      onDone={() => {
        say(says.undone);
        onClose();
        onUndone();
      }}
      onClose={onClose}
    />
  );
}

function wouldText({
  removed,
  restored,
}: {
  readonly removed: number;
  readonly restored: number;
}): string {
  if (restored === 0) return says.undoRemoves(removed);
  return removed === 0 ? says.undoRestores(restored) : says.undoBoth({ removed, restored });
}
