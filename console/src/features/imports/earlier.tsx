/** Earlier imports, and undoing them. */
import { feeds, imports as says, page as texts } from 'messages';
import type { Import, ImportUndo } from '../../../../client/src/generated/objects.d.ts';
import { useAgain } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { question } from '../../parts/form.tsx';
import { acts, Titled } from '../../parts/listed.tsx';
import { Failure, Loading } from '../../parts/loading.tsx';
import { useGet } from '../../parts/polled.ts';
import { resourceAt } from '../../records/description.ts';
import { type PageOf, ask as send } from '../../service/api.ts';
import { Time } from '../../values/value.tsx';
import { CountList, Refused } from './result.tsx';

/** `again` changes when there is another one. */
export function Earlier({ again }: { readonly again: number }): JSX.Element | null {
  const { dialog, ask, open } = useActions();
  const { value, error, reload } = useGet<PageOf<Import>>('/v1/imports');
  useAgain(again, reload);
  const undo = (entry: Import): void =>
    ask({ ...undoForm(entry), said: says.undone, onDone: reload });
  if (error !== undefined) return <Failure error={error} onAgain={reload} />;
  return (
    <>
      <Titled
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
                  <Button
                    class="plain link"
                    label={says.refused}
                    onClick={() => open((close) => <RefusedRows entry={entry} onClose={close} />)}
                  />
                )}
              </>
            ),
          },
          acts(
            (entry: Import) =>
              entry.status === 'undone' || entry.status === 'undoing' ? (
                <span class="quiet">{says.statuses[entry.status]}</span>
              ) : (
                <Button label={texts.undo} onClick={() => undo(entry)} />
              ),
            texts.undo,
          ),
        ]}
        rows={value?.data ?? []}
      />
      {dialog}
    </>
  );
}

function RefusedRows(props: { readonly entry: Import; readonly onClose: () => void }): JSX.Element {
  const { entry, onClose } = props;
  const { unique_identifier, files, counts } = entry;
  const load = useGet<{ readonly rows: string }>(`/v1/imports/${unique_identifier}/rejected`);
  const name = files.map((file) => file.name).join(', ');
  return (
    <Dialog title={says.refusedOf(name)} onClose={onClose} wide>
      <Loading of={load} rows={4}>
        {({ rows }) => <Refused text={rows} count={counts.failed} name={name} />}
      </Loading>
    </Dialog>
  );
}

export function undoForm({ unique_identifier: id }: Import) {
  const path = `/v1/imports/${id}/undo`;
  return question({
    title: says.undoTitle,
    rehearsal: {
      of: `undo ${id}`,
      load: (signal) => send<ImportUndo>('POST', path, { dry_run: true }, { signal }),
      says: (found) => (
        <>
          {(found.removed > 0 || found.restored === 0) && <p>{says.undoRemoves(found.removed)}</p>}
          {found.restored > 0 && <p>{says.undoRestores(found.restored)}</p>}
          {found.kept > 0 && <p class="hint">{says.undoKept(found.kept)}</p>}
        </>
      ),
    },
    submit: texts.undo,
    danger: true,
    send: () => send('POST', path, { dry_run: false }),
  });
}
