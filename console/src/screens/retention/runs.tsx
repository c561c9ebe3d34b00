/** What the runs of a rule did, newest first. */

import { retention as says, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import type { RetentionRule, RetentionRun } from '../../../../client/src/generated/objects.d.ts';
import { useLoad } from '../../load.ts';
import { number } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { amounts } from '../../parts/columns.tsx';
import { Status } from '../../parts/fact.tsx';
import { Loading } from '../../parts/loading.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { api } from '../../service/api.ts';
import { Time } from '../../values/value.tsx';

const shown = says.runs;
const PAGE = 20;
const MOST = 50;

export function Runs(props: { readonly rule: RetentionRule }): JSX.Element {
  const { rule } = props;
  const { unique_identifier: id, last_run, updated_at } = rule;
  const [limit, setLimit] = useState(PAGE);
  const round = `${last_run?.unique_identifier} ${last_run?.status}`;
  const runs = useLoad(`runs of ${id} ${limit} ${round} ${updated_at}`, (signal) =>
    api.retention_rules.runs(id, { limit }, { signal }).page(),
  );
  const { value, busy } = runs;
  // The rule is read again while it runs, and its runs are not.
  const all = (value?.data ?? []).map((run) =>
    run.unique_identifier === last_run?.unique_identifier ? { ...run, ...last_run } : run,
  );
  return (
    <section class="asked">
      <h2>{shown.title}</h2>
      <Loading of={runs}>{() => all.length === 0 && <p class="hint">{shown.none}</p>}</Loading>
      {all.length > 0 && <Table caption={shown.title} columns={COLUMNS} rows={all} busy={busy} />}
      {value?.has_more === true && limit < MOST && (
        <Button class="plain" label={shown.more} onClick={() => setLimit(MOST)} />
      )}
    </section>
  );
}

const COLUMNS: readonly Column<RetentionRun>[] = [
  { label: shown.when, class: 'time', cell: ({ began_at }) => <Time at={began_at} /> },
  {
    label: shown.status,
    folds: true,
    cell: ({ status, stopped_because: why }) => (
      <>
        <Status of={status} words={says.statuses} />
        {why !== null && <small class="under quiet">{shown.stopped[why] ?? why}</small>}
      </>
    ),
  },
  amounts(texts.nav.removed, ({ removed }) => number(removed)),
  amounts(shown.held, ({ held }) => number(held)),
  amounts(shown.spared, ({ spared }) => number(spared)),
  amounts(shown.took, ({ seconds }) => shown.seconds(seconds)),
];
