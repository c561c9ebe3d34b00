/** A person's own name, ways to sign in, and sessions. */
import { entry as invitation, account as says, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import type { Passkey, StaffSession } from '../../generated/objects.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { Form } from '../../parts/form.tsx';
import { LanguageChoice } from '../../parts/language-choice.tsx';
import { Heading, Loading } from '../../parts/loading.tsx';
import { say } from '../../parts/notice.tsx';
import { useGet } from '../../parts/polled.ts';
import { ask, ask as send } from '../../service/api.ts';
import { enter, type Session, type Staff, session } from '../../service/session.ts';
import { browserName } from '../../values/browser-name.ts';
import { agoText, momentText } from '../../values/format.ts';
import { create, hasPasskeys } from '../entry/ways-in.ts';

interface StaffAccount {
  readonly staff: Staff;
  readonly passkeys: readonly Passkey[];
  readonly sessions: readonly SessionEntry[];
}

export function AccountScreen(): JSX.Element {
  const account = useGet<StaffAccount>('/account');
  const { reload } = account;
  return (
    <>
      <Heading title={texts.nav.account} about={account.value?.staff.email} />
      <Loading of={account} rows={8}>
        {(value) => (
          <div class="stack settings">
            <Name staff={value.staff} onSaved={reload} />
            <section aria-label={texts.language}>
              <h2>{texts.language}</h2>
              <LanguageChoice />
            </section>
            <Passkeys passkeys={value.passkeys} onChanged={reload} />
            <Password staff={value.staff} onSaved={reload} />
            <Sessions sessions={value.sessions} onChanged={reload} />
          </div>
        )}
      </Loading>
    </>
  );
}

interface OwnProps {
  readonly staff: Staff;
  readonly onSaved: () => void;
}

function Name({ staff, onSaved }: OwnProps): JSX.Element {
  return (
    <section aria-label={invitation.name}>
      <h2>{invitation.name}</h2>
      <Form
        key={staff.name}
        class="inline"
        isSmall
        submit={texts.save}
        begin={{ name: staff.name ?? '' }}
        fields={{ name: { label: invitation.name, autocomplete: 'name' } }}
        isReady={({ name }) => name.trim() !== (staff.name ?? '')}
        send={({ name }) => ask<Staff>('POST', '/account', { name })}
        onDone={(saved) => {
          if (session.value !== undefined) session.value = { ...session.value, staff: saved };
          say(texts.saved);
          onSaved();
        }}
      />
    </section>
  );
}

function Password({ staff, onSaved }: OwnProps): JSX.Element | null {
  const [saved, setSaved] = useState(0);
  if (staff.role === 'administrator') return null;
  return (
    <section aria-label={invitation.signIn.password}>
      <h2>{invitation.signIn.password}</h2>
      <p class="hint">{`${staff.password ? says.hasPassword : says.noPassword} ${invitation.passwordHint}`}</p>
      <Form
        key={saved}
        class="inline"
        isSmall
        submit={texts.save}
        begin={{ password: '' }}
        fields={{
          password: {
            label: says.newPassword,
            placeholder: says.newPassword,
            of: 'password',
            autocomplete: 'new-password',
            needed: true,
          },
        }}
        send={({ password }) => ask<Session>('POST', '/account/password', { password })}
        onDone={(entered) => {
          enter(entered);
          setSaved(saved + 1);
          say(says.passwordSaved);
          onSaved();
        }}
      />
    </section>
  );
}

interface PasskeysProps {
  readonly passkeys: readonly Passkey[];
  readonly onChanged: () => void;
}

function Passkeys({ passkeys, onChanged }: PasskeysProps): JSX.Element {
  const { busy, fault, dialog, perform, ask } = useActions();
  const add = (): Promise<boolean> =>
    perform(async () => {
      const proof = await create('/account/passkeys/begin', {});
      return send('POST', '/account/passkeys', { ...proof });
    }, onChanged);
  return (
    <section aria-label={says.passkeys}>
      <h2>{says.passkeys}</h2>
      <p class="hint">{invitation.passkeyHint}</p>
      {fault}
      {dialog}
      <ul class="entries">
        {passkeys.map(({ unique_identifier: id, name, inserted_at, last_used_at }) => (
          <li key={id}>
            <span>
              <strong>{name ?? says.methods.passkey}</strong>
              <small>
                {says.made(momentText(inserted_at))}
                {last_used_at !== null && ` · ${says.used(momentText(last_used_at))}`}
              </small>
            </span>
            <Button
              label={texts.record.remove}
              of={name ?? says.methods.passkey}
              class="plain danger"
              disabled={busy}
              onClick={() =>
                ask({
                  title: says.removeSure(name ?? ''),
                  hint: says.removeHint,
                  submit: texts.record.remove,
                  danger: true,
                  send: () => send('DELETE', `/account/passkeys/${id}`),
                  onDone: onChanged,
                })
              }
            />
          </li>
        ))}
      </ul>
      {hasPasskeys() && <Button label={invitation.passkey} disabled={busy} onClick={add} />}
    </section>
  );
}

type SessionEntry = StaffSession & { readonly current: boolean };

interface SessionsProps {
  readonly sessions: readonly SessionEntry[];
  readonly onChanged: () => void;
}

function Sessions({ sessions, onChanged }: SessionsProps): JSX.Element {
  const { dialog, ask: open } = useActions();
  const ask = (title: string, hint: string, request: () => Promise<unknown>): void =>
    open({ title, hint, submit: says.end, danger: true, send: request, onDone: onChanged });
  return (
    <section aria-label={says.sessions}>
      <h2>{says.sessions}</h2>
      {dialog}
      <ul class="entries">
        {sessions.map((entry) => {
          const { unique_identifier: id, current, seen_at, address, method } = entry;
          const browser = entry.browser === null ? says.unknownBrowser : browserName(entry.browser);
          return (
            <li key={id}>
              <span>
                <strong>{browser}</strong>
                <small>
                  {[says.methods[method], address, current ? says.here : agoText(seen_at)]
                    .filter((one) => one !== null && one !== undefined)
                    .join(' · ')}
                </small>
              </span>
              {!current && (
                <Button
                  label={says.end}
                  of={browser}
                  class="plain danger"
                  onClick={() =>
                    ask(says.endSure(browser), says.endHint, () =>
                      send('DELETE', `/account/sessions/${id}`),
                    )
                  }
                />
              )}
            </li>
          );
        })}
      </ul>
      {sessions.length > 1 && (
        <Button
          label={says.endOthers}
          onClick={() =>
            ask(says.endOthersSure, says.endOthersHint, () =>
              send('POST', '/account/sessions/end_others', {}),
            )
          }
        />
      )}
    </section>
  );
}
