/** Retention rules: those that there are, and one of them. */
import { retention as says, page as texts } from 'messages';
import type { RetentionRule } from '../../../../client/src/generated/objects.d.ts';
import { useLoad } from '../../load.ts';
import { number } from '../../messages.ts';
import { useActions } from '../../parts/actions.tsx';
import { statuses, times } from '../../parts/columns.tsx';
import { Listed, PAGE } from '../../parts/listed.tsx';
import { type Column, idOf } from '../../parts/table.tsx';
import { useLocationNames } from '../../places/locations.ts';
import { go, hrefOf, query } from '../../router.ts';
import type { ScreenProps } from '../../screen.ts';
import { api } from '../../service/api.ts';
import { dayText } from '../../values/format.ts';
import { ruleForm } from './form.tsx';
import { OneRule } from './rule.tsx';
import { sentenceOf } from './sentence.ts';

export function RetentionScreen({ path, rest: [id = ''] }: ScreenProps): JSX.Element {
  return id === '' ? <Rules path={path} /> : <OneRule path={path} id={id} />;
}

function Rules({ path }: { readonly path: string }): JSX.Element {
  const starting_after = query.value.get('starting_after') ?? undefined;
  const list = useLoad(`retention rules ${starting_after}`, (signal) =>
    api.retention_rules.list({ limit: PAGE, starting_after }, { signal }).page(),
  );
  const { dialog, ask } = useActions();
  const names = useLocationNames();
  return (
    <>
      <Listed
        title={texts.nav.retention}
        about={says.about}
        of={list}
        none={{ title: says.none, hint: says.noneHint }}
        add={[
          says.form.title,
          () =>
            ask({
              ...ruleForm(names),
              onDone: (rule) => go(hrefOf(`${path}/${idOf(rule)}`)),
            }),
        ]}
        columns={columns(names)}
        hrefOf={(rule) => hrefOf(`${path}/${idOf(rule)}`)}
      />
      {dialog}
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
    statuses(says.statuses),
    {
      label: says.lastRun,
      folds: 'named',
      cell: ({ last_run }) =>
        last_run && (
          <>
            {number(last_run.removed)} {says.runs.removedThen}
          </>
        ),
    },
    times(texts.record.changed, ({ updated_at }) => dayText(new Date(updated_at))),
  ];
}
