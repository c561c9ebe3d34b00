/** The time zone, region and state of a location, or of an account for its locations. */
import { record as own, page as texts, zones } from 'messages';
import type { LocationSettings } from '../../../../client/src/generated/objects.d.ts';
import * as bounds from '../../generated/bounds.ts';
import { useLoad } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { Fact } from '../../parts/fact.tsx';
import { question, type TextField } from '../../parts/form.tsx';
import { learnSettings, regions } from '../../places/zones.ts';
import { api } from '../../service/api.ts';
import { may, session } from '../../service/session.ts';
import { zoneText } from '../../values/format.ts';
import { zoneOptions } from '../../values/zone-options.ts';

const says = own.settings;

interface SettingsOfProps {
  readonly id: string;
  /** Whether it is an account, whose settings are those of all its locations. */
  readonly isAccount: boolean;
}

const MEMBERS = ['time_zone', 'region', 'state'] as const;
type Member = (typeof MEMBERS)[number];
const LABELS = { time_zone: zones.choose, region: texts.region, state: says.state } as const;

export function SettingsOf({ id, isAccount }: SettingsOfProps): JSX.Element | null {
  const { dialog, ask } = useActions();
  const { value, reload } = useLoad(`settings of ${id}`, (signal) =>
    isAccount
      ? api.retrieveAccountSettings(id, { signal })
      : api.retrieveLocationSettings(id, { signal }),
  );
  if (value === undefined) return null;
  const now: LocationSettings = value;
  const mayChange = isAccount ? session.value?.may_administer === true : may('write');
  const origin = (name: Member): string | undefined => {
    if (!now.inherited.includes(name)) return undefined;
    return isAccount || now[name] === null || now[name] === 'UTC' ? says.unset : says.inherited;
  };
  const change = (): void =>
    ask({
      ...formOf(now, isAccount),
      said: texts.saved,
      onDone: (changed) => {
        learnSettings(changed);
        reload();
      },
    });
  return (
    <div class="groups">
      <section class="group" aria-label={says.title}>
        <h2>
          {says.title}{' '}
          {mayChange && <Button class="plain link" label={texts.change} onClick={change} />}
        </h2>
        <dl>
          {MEMBERS.filter((name) => name === 'time_zone' || now[name] !== null).map((name) => (
            <Fact key={name} label={LABELS[name]}>
              {name === 'time_zone' ? zoneText(now.time_zone ?? '') : now[name]}{' '}
              {origin(name) !== undefined && <small class="quiet">{origin(name)}</small>}
            </Fact>
          ))}
        </dl>
        {dialog}
      </section>
    </div>
  );
}

function formOf(now: LocationSettings, isAccount: boolean) {
  const set = (name: Member): string => (now.inherited.includes(name) ? '' : (now[name] ?? ''));
  // The region decides who sees a location.
  const mayPlace = session.value?.may_administer === true && session.value.locations === null;
  const { unique_identifier: id } = now;
  // What was not changed here may have been changed by another person.
  const patchOf = (typed: Readonly<Record<Member, string>>) =>
    Object.fromEntries(
      Object.entries(typed).filter(([name, text]) => text !== set(name as Member)),
    );
  const fieldOf = (name: Member, more?: Partial<TextField>): TextField => ({
    label: LABELS[name],
    placeholder: now.inherited.includes(name) ? (now[name] ?? '') : '',
    ...more,
  });
  return question({
    title: says.title,
    submit: texts.save,
    begin: { time_zone: set('time_zone'), region: set('region'), state: set('state') },
    fields: {
      time_zone: fieldOf('time_zone', {
        hint: says.zoneHint,
        of: [
          ['', now.inherited.includes('time_zone') ? zoneText(now.time_zone ?? '') : ''],
          ...zoneOptions(set('time_zone')),
        ],
      }),
      ...(mayPlace && {
        region: fieldOf('region', { hint: says.regionHint, suggests: regions.value }),
      }),
      state: fieldOf('state', isAccount ? {} : { hint: says.empty }),
    },
    bounds: bounds.patch_location_settings,
    isReady: (typed) => Object.keys(patchOf(typed)).length > 0,
    send: (typed) =>
      isAccount
        ? api.patchAccountSettings(id, patchOf(typed))
        : api.patchLocationSettings(id, patchOf(typed)),
  });
}
