/** The time zone, region and state of a location, or of an account for its locations. */
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { LocationSettings } from '../../../../client/src/generated/objects.d.ts';
import { useLoad } from '../../load.ts';
import { useAct } from '../../parts/act.ts';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Labelled } from '../../parts/labelled.tsx';
import { say } from '../../parts/notice.tsx';
import { learnSettings, regions } from '../../places/homes.ts';
import { refusalText } from '../../refusals.ts';
import { api } from '../../service/api.ts';
import { may, session } from '../../service/session.ts';
import { texts } from '../../texts.ts';
import { zoneChoices } from '../../values/format.ts';
import { says as own } from './texts.ts';

const says = own.settings;

interface SettingsOfProps {
  readonly id: string;
  /** Whether it is an account, whose settings are those of all its locations. */
  readonly isAccount: boolean;
}

const MEMBERS = ['time_zone', 'region', 'state'] as const;
type Member = (typeof MEMBERS)[number];
const LABELS = { time_zone: says.zone, region: says.region, state: says.state } as const;

export function SettingsOf({ id, isAccount }: SettingsOfProps): JSX.Element | null {
  const [open, setOpen] = useState(false);
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
  return (
    <div class="groups">
      <section class="group" aria-label={says.title}>
        <h2>
          {says.title}{' '}
          {mayChange && (
            <button type="button" class="plain link" onClick={() => setOpen(true)}>
              {says.change}
            </button>
          )}
        </h2>
        <dl>
          {MEMBERS.filter((name) => name === 'time_zone' || now[name] !== null).map((name) => (
            <div key={name}>
              <dt>{LABELS[name]}</dt>
              <dd>
                {now[name]}{' '}
                {origin(name) !== undefined && <small class="quiet">{origin(name)}</small>}
              </dd>
            </div>
          ))}
        </dl>
        {open && (
          <Change
            now={now}
            isAccount={isAccount}
            onClose={() => setOpen(false)}
            onSaved={(changed) => {
              setOpen(false);
              learnSettings(changed);
              say(texts.saved);
              reload();
            }}
          />
        )}
      </section>
    </div>
  );
}

function Change({
  now,
  isAccount,
  onClose,
  onSaved,
}: {
  readonly now: LocationSettings;
  readonly isAccount: boolean;
  readonly onClose: () => void;
  readonly onSaved: (changed: LocationSettings) => void;
}): JSX.Element {
  const lists = useId();
  const set = (name: Member): string => (now.inherited.includes(name) ? '' : (now[name] ?? ''));
  const [typed, setTyped] = useState(() =>
    Object.fromEntries(MEMBERS.map((name) => [name, set(name)])),
  );
  const act = useAct();
  // The region decides who sees a location.
  const mayPlace = session.value?.may_administer === true && session.value.locations === null;
  const shown = MEMBERS.filter((name) => name !== 'region' || mayPlace);
  const changed = shown.filter((name) => typed[name] !== set(name));
  const { unique_identifier: id } = now;
  const save = async (): Promise<void> => {
    // What was not changed here may have been changed by another person.
    const patch = Object.fromEntries(changed.map((name) => [name, (typed[name] ?? '').trim()]));
    const saved = await act.run(() =>
      isAccount ? api.patchAccountSettings(id, patch) : api.patchLocationSettings(id, patch),
    );
    if (saved !== undefined) onSaved(saved);
  };
  const faultOf = (name: Member): string | undefined => {
    const fault = act.faults[name];
    return fault && refusalText(fault, LABELS[name]);
  };
  const hints = { time_zone: says.zoneHint, region: says.regionHint, state: undefined } as const;
  const options = {
    time_zone: zoneChoices,
    region: regions.value,
    state: [],
  } as const;
  return (
    <Dialog title={says.title} onClose={onClose} filled={changed.length > 0}>
      <form
        class="fields"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Fault says={MEMBERS.some(faultOf) ? undefined : act.fault} />
        {shown.map((name) => (
          <Labelled
            key={name}
            label={LABELS[name]}
            fault={faultOf(name)}
            {...(hints[name] === undefined ? {} : { hint: hints[name] })}
          >
            {(common) => (
              <>
                <input
                  {...common}
                  autocomplete="off"
                  spellcheck={false}
                  list={`${lists}-${name}`}
                  placeholder={now.inherited.includes(name) ? (now[name] ?? '') : ''}
                  value={typed[name]}
                  onInput={({ currentTarget: { value } }) =>
                    setTyped((before) => ({ ...before, [name]: value }))
                  }
                />
                <datalist id={`${lists}-${name}`}>
                  {options[name].map((one) => (
                    <option key={one} value={one} />
                  ))}
                </datalist>
              </>
            )}
          </Labelled>
        ))}
        {!isAccount && <p class="hint">{says.empty}</p>}
        <footer>
          <Cancel />
          <button type="submit" class="main" disabled={act.busy || changed.length === 0}>
            {act.busy ? texts.saving : texts.save}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
