/** Retention rules: those that there are, and one of them. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RetentionRule } from '../../../../client/src/generated/operations.ts';
import { useLoad } from '../../load.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useLocationNames } from '../../places/locations.ts';
import { go, hrefOf, query, restore } from '../../router.ts';
import type { ScreenProps } from '../../screen.ts';
import { api } from '../../service/api.ts';
import { texts } from '../../texts.ts';
import { dayText } from '../../values/format.ts';
import { numberText } from './bars.tsx';
import { RuleForm } from './form.tsx';
import { OneRule } from './rule.tsx';
import { sentenceOf } from './sentence.ts';
import { says } from './texts.ts';

const PAGE = 50;

export function RetentionScreen({ path, rest: [id = ''] }: ScreenProps): JSX.Element {
  return id === '' ? <Rules path={path} /> : <OneRule path={path} id={id} />;
}

function Rules({ path }: { readonly path: string }): JSX.Element {
  const starting_after = query.value.get('starting_after') ?? undefined;
  const { value, error, busy, reload } = useLoad(`retention rules ${starting_after}`, (signal) =>
    api.retention_rules
      .list(
        { limit: PAGE, ...(starting_after === undefined ? {} : { starting_after }) },
        { signal },
      )
      .page(),
  );
  const [making, setMaking] = useState(false);
  const names = useLocationNames();
  useEffect(() => {
    if (value !== undefined) restore();
  }, [value]);
  const all = value?.data ?? [];
  const make = (
    <button type="button" class="main" onClick={() => setMaking(true)}>
      {says.make}
    </button>
  );
  return (
    <>
      <Heading title={texts.nav.retention} about={says.about}>
        <button type="button" class="plain square" aria-label={texts.list.refresh} onClick={reload}>
          <Icon name="again" />
        </button>
        {all.length > 0 && make}
      </Heading>
      {error !== undefined && <Failure error={error} onAgain={reload} />}
      {value === undefined && error === undefined && <Skeleton />}
      {value !== undefined && all.length === 0 && (
        <Empty title={says.none} hint={says.noneHint}>
          {make}
        </Empty>
      )}
      {all.length > 0 && (
        <Table
          caption={texts.nav.retention}
          columns={columns(names)}
          rows={all}
          keyOf={({ unique_identifier }) => unique_identifier}
          hrefOf={({ unique_identifier }) => hrefOf(`${path}/${unique_identifier}`)}
          busy={busy}
        />
      )}
      {value?.has_more === true && (
        <nav class="pages" aria-label={texts.nav.retention}>
          <a
            class="button"
            rel="next"
            href={hrefOf(path, { starting_after: all.at(-1)?.unique_identifier ?? '' })}
          >
            {says.more}
            <Icon name="right" />
          </a>
        </nav>
      )}
      {making && (
        <RuleForm
          rule={undefined}
          onClose={() => setMaking(false)}
          onDone={({ unique_identifier }) => go(hrefOf(`${path}/${unique_identifier}`))}
        />
      )}
    </>
  );
}

function columns(names: ReadonlyMap<string, string>): readonly Column<RetentionRule>[] {
  return [
    { label: says.rule, class: 'whole', cell: (rule) => sentenceOf(rule) },
    {
      label: texts.location,
      folds: true,
      cell: ({ location }) =>
        location === null ? texts.allLocations : (names.get(location) ?? location),
    },
    {
      label: texts.status,
      folds: true,
      cell: ({ status }) => (
        <span class={`status ${status}`}>{says.statuses[status] ?? status}</span>
      ),
    },
    {
      label: says.lastRun,
      folds: 'named',
      cell: ({ last_run }) =>
        last_run && (
          <>
            {numberText(last_run.removed)} {says.runs.removedThen}
          </>
        ),
    },
    {
      label: texts.record.changed,
      class: 'time',
      folds: 'named',
      cell: ({ updated_at }) => dayText(new Date(updated_at)),
    },
  ];
}
