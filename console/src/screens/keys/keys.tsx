/** The API keys of the group's systems, and actions on them. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiKey } from '../../generated/objects.ts';
import { useLoad } from '../../load.ts';
import { type Act, useAct } from '../../parts/act.ts';
import { Decide } from '../../parts/decide.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { idOf, Listed } from '../../parts/listed.tsx';
import { LocationsOf } from '../../parts/location-checks.tsx';
import { Once } from '../../parts/once.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { resourceAt } from '../../records/description.ts';
import { ask, type PageOf } from '../../service/api.ts';
import { texts } from '../../texts.ts';
import { agoText, dayText } from '../../values/format.ts';
import { Allowed } from './allowed.tsx';
import { NewKey } from './new-key.tsx';
import { says } from './texts.ts';

type Doing = 'rotate' | 'suspend' | 'resume' | 'revoke';

export function KeysScreen(): JSX.Element {
  const list = useLoad('keys', (signal) =>
    ask<PageOf<ApiKey>>('GET', '/keys', undefined, { signal }),
  );
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [asked, setAsked] = useState<{ readonly key: ApiKey; readonly doing: Doing }>();
  const act = useAct();
  const [overlap, setOverlap] = useState(says.overlaps[0]?.[0] ?? 0);
  const perform = async (key: ApiKey, doing: Doing): Promise<void> => {
    const body = doing === 'rotate' ? { overlap_seconds: overlap } : {};
    const answer = await act.run(() =>
      ask<ApiKey>('POST', `/keys/${key.unique_identifier}/${doing}`, body),
    );
    setAsked(undefined);
    if (answer === undefined) return;
    if (answer.secret !== undefined) setSecret(answer.secret);
    list.reload();
  };
  return (
    <>
      <Listed
        title={texts.nav.keys}
        about={says.about}
        above={<Fault says={act.fault} />}
        of={list}
        none={{ title: says.none, hint: says.about }}
        add={[says.add, () => setAdding(true)]}
        after={idOf}
      >
        {(all) => (
          <Table
            caption={texts.nav.keys}
            columns={columns(act, (key, doing) =>
              doing === 'resume' ? void perform(key, doing) : setAsked({ key, doing }),
            )}
            rows={all}
            keyOf={idOf}
          />
        )}
      </Listed>
      {adding && (
        <NewKey
          onClose={() => setAdding(false)}
          onMade={(made) => {
            setAdding(false);
            setSecret(made);
            list.reload();
          }}
        />
      )}
      {asked !== undefined && (
        <Dialog
          title={says.sure(says.doings[asked.doing], nameOf(asked.key))}
          onClose={() => setAsked(undefined)}
        >
          <p>{says.hints[asked.doing]}</p>
          {asked.doing === 'rotate' && (
            <div class="fields">
              <label>
                {says.overlap}
                <select
                  value={overlap}
                  onChange={({ currentTarget }) => setOverlap(Number(currentTarget.value))}
                >
                  {says.overlaps.map(([seconds, label]) => (
                    <option key={seconds} value={seconds}>
                      {label}
                    </option>
                  ))}
                </select>
              </label>
            </div>
          )}
          <Decide
            submit={says.doings[asked.doing]}
            danger={asked.doing !== 'rotate'}
            disabled={act.busy}
            onSubmit={() => void perform(asked.key, asked.doing)}
          />
        </Dialog>
      )}
      {secret !== undefined && (
        <Once
          title={says.secret}
          hint={says.secretHint}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  );
}

function nameOf({ name, ending }: ApiKey): string {
  return name ?? `… ${ending}`;
}

const DOINGS: Readonly<Record<string, readonly Doing[]>> = {
  active: ['rotate', 'suspend', 'revoke'],
  suspended: ['resume', 'revoke'],
};

function columns(act: Act, onDo: (key: ApiKey, doing: Doing) => void): readonly Column<ApiKey>[] {
  return [
    { label: says.name, cell: nameOf },
    { label: says.ending, folds: true, cell: ({ ending }) => <code>… {ending}</code> },
    {
      label: texts.status,
      folds: true,
      cell: ({ status, expires_at }) => (
        <span class={`status ${status}`}>
          {says.statuses[status] ?? status}
          {status === 'active' && expires_at !== null && (
            <small> {says.until(dayText(new Date(expires_at)))}</small>
          )}
        </span>
      ),
    },
    {
      label: says.may,
      class: 'whole',
      folds: true,
      cell: (key) => (
        <>
          {mayOf(key)}
          <Allowed of={key.allow} />
          {key.locations !== null && (
            <small class="under">
              <LocationsOf of={key.locations} region={key.region} />
            </small>
          )}
        </>
      ),
    },
    {
      label: says.lastUsed,
      class: 'time',
      cell: ({ last_used_at }) => (last_used_at === null ? texts.never : agoText(last_used_at)),
    },
    {
      label: texts.record.more,
      class: 'acts',
      cell: (key) => (
        <RowMenu
          of={nameOf(key)}
          busy={act.busy}
          items={(DOINGS[key.status] ?? []).map((doing) => ({
            label: says.doings[doing],
            asks: doing !== 'resume',
            danger: doing === 'suspend' || doing === 'revoke',
            run: () => onDo(key, doing),
          }))}
        />
      ),
    },
  ];
}

function mayOf(key: ApiKey): string {
  const { permissions, resources, from, requests_a_second, requests_at_once } = key;
  const which =
    resources === null
      ? says.everything
      : resources.map((path) => resourceAt(path)?.plural ?? path).join(', ');
  return [
    `${permissions.map((one) => says.permissions[one] ?? one).join(', ')}: ${which}`,
    ...(from === null ? [] : [says.fromShort(from.join(', '))]),
    ...(requests_a_second === null ? [] : [says.rateShort(requests_a_second)]),
    ...(requests_at_once === null ? [] : [says.atOnce(requests_at_once)]),
  ].join(' · ');
}
