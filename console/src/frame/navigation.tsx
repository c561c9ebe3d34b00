/** Links to every screen, the current location, and who is signed in. */
import { signal } from '@preact/signals';
import { page as texts } from 'messages';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, Icon, Stone } from '../parts/button.tsx';
import { Menu } from '../parts/menu.tsx';
import { leaveBy } from '../parts/staying.ts';
import { chooseLocation, chosenLocation, useLocationNames } from '../places/locations.ts';
import { anchor, filterBy, resourceAt } from '../records/description.ts';
import { hrefOf, path, setQuery } from '../router.ts';
import type { ScreenEntry } from '../screen.ts';
import { CURSORS } from '../screens/list/query.ts';
import { visibleScreens } from '../screens.ts';
import { session, signOut } from '../service/session.ts';
import { always } from '../stored.ts';
import { labelled } from '../values/format.ts';
import { helpOpen } from './shortcuts.ts';

const GROUPS = [
  ['home', undefined],
  ['records', texts.nav.records],
  ['people', texts.nav.people],
  ['more', texts.more],
  ['integration', texts.nav.integration],
] as const;

/** Seldom needed by those who run services: they are folded away until somebody opens them. */
const FOLDED: readonly string[] = ['more', 'integration'];

/** The part of the menu that has it for this person. */
function groupOf({ group, isSeldom }: ScreenEntry): ScreenEntry['group'] {
  return session.value !== undefined && isSeldom?.(session.value) ? 'more' : group;
}

export function Navigation(): JSX.Element {
  const shown = visibleScreens(session.value);
  const list = useRef<HTMLDivElement>(null);
  // Where the list is longer than the window, it shows where one is, also as what is around it comes later.
  const [now] = path.value.split('/');
  useEffect(() => {
    const screens = list.current;
    if (screens === null) return;
    // With scrollIntoView, Tab would begin there and pass the link that skips the navigation.
    const observer = new ResizeObserver(() => {
      const here = screens.querySelector<HTMLElement>('[aria-current]');
      if (here === null) return;
      const end = here.offsetTop + here.offsetHeight - screens.clientHeight;
      screens.scrollTop = Math.min(here.offsetTop, Math.max(screens.scrollTop, end));
    });
    observer.observe(screens);
    return () => observer.disconnect();
  }, [now]);
  return (
    <header class="side">
      <div class="brand">
        <button
          type="button"
          class="plain square opener"
          popovertarget="nav"
          aria-label={texts.menu}
        >
          <Icon name="menu" />
        </button>
        <a href={hrefOf('')}>
          <Stone />
          <span>{texts.product}</span>
        </a>
        <a class="button plain square seek" href={hrefOf('find')} aria-label={texts.nav.find}>
          <Icon name="find" />
        </a>
      </div>
      <nav id="nav" popover="auto" aria-label={texts.nav.label}>
        <LocationSwitch />
        <div class="screens" ref={list}>
          {GROUPS.map(([group, heading]) => {
            const entries = shown.filter((entry) => groupOf(entry) === group);
            if (entries.length === 0) return null;
            const links = (
              <ul>
                {entries.map((entry) => (
                  <li key={entry.path}>
                    <Entry {...entry} />
                  </li>
                ))}
              </ul>
            );
            const name = `nav ${group}`;
            const isIn = entries.some((one) => one.path === now);
            return FOLDED.includes(group) ? (
              <details
                key={group}
                class="group"
                open={isIn || always.get(name) !== undefined}
                onToggle={({ currentTarget: { open } }) => {
                  if (!open || !isIn) always.set(name, open ? '1' : undefined);
                }}
              >
                <summary>{heading}</summary>
                {links}
              </details>
            ) : (
              <div key={group} class="group">
                {heading !== undefined && <h2>{heading}</h2>}
                {links}
              </div>
            );
          })}
        </div>
        <Person />
      </nav>
    </header>
  );
}

function Entry({ path: to, title, icon }: ScreenEntry): JSX.Element {
  const [now = ''] = path.value.split('/');
  const resource = resourceAt(to);
  const filter = resource && anchor && filterBy(resource, anchor.name);
  const location = chosenLocation.value;
  const params = filter === undefined || location === undefined ? {} : { [filter]: location };
  return (
    <a
      href={hrefOf(to, params)}
      aria-current={now === to ? 'page' : undefined}
      onClick={() => document.getElementById('nav')?.hidePopover()}
    >
      <Icon name={icon} />
      {title}
    </a>
  );
}

/** With fewer, searching is not worth it. */
const FEW = 8;

function LocationSwitch(): JSX.Element | null {
  const names = useLocationNames();
  const [typed, setTyped] = useState('');
  if (names.size < 2) return null;
  const chosen = names.get(chosenLocation.value ?? '');
  const matching = [...names].filter(([, name]) =>
    name.toLowerCase().includes(typed.toLowerCase()),
  );
  const take = (id: string | undefined): void => {
    chooseLocation(id);
    const [now = ''] = path.value.split('/');
    const shown = resourceAt(now);
    const filter = shown && anchor && filterBy(shown, anchor.name);
    if (filter === undefined || path.value.includes('/')) return;
    setQuery({ ...CURSORS, [filter]: id });
  };
  return (
    <Menu
      class="locations"
      name={labelled(texts.location, chosen ?? texts.allLocations)}
      label={<span class="cut">{chosen ?? texts.allLocations}</span>}
    >
      {names.size > FEW && (
        <input
          type="search"
          value={typed}
          placeholder={texts.nav.find}
          aria-label={texts.nav.find}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      <ul>
        {[[undefined, texts.allLocations] as const, ...matching].map(([id, name]) => (
          <li key={id ?? ''}>
            <Button
              class="plain item"
              label={name}
              aria-pressed={id === (chosen && chosenLocation.value)}
              onClick={() => take(id)}
            />
          </li>
        ))}
      </ul>
    </Menu>
  );
}

function Person(): JSX.Element | null {
  const now = session.value;
  if (now === undefined) return null;
  const { staff, accounts } = now;
  return (
    <Menu
      class="person"
      label={
        <span class="who">
          <strong class="cut">{staff.name ?? staff.email}</strong>
          <small class="cut">{accounts.map(({ name }) => name).join(', ')}</small>
        </span>
      }
    >
      <fieldset class="choice">
        <legend>{texts.nav.theme}</legend>
        {THEMES.map((one) => (
          <label key={one} class="switch">
            <input
              type="radio"
              name="theme"
              checked={theme.value === one}
              onChange={() => choose(one)}
            />
            {texts.nav.themes[one]}
          </label>
        ))}
      </fieldset>
      <a class="item" href={hrefOf('account')}>
        {texts.nav.account}
      </a>
      {now.may_administer &&
        accounts.map(({ unique_identifier, name }) => (
          <a key={unique_identifier} class="item" href={hrefOf(`accounts/${unique_identifier}`)}>
            {texts.nav.settingsOf(name)}
          </a>
        ))}
      <Button
        class="plain item"
        label={texts.nav.shortcuts}
        onClick={() => {
          helpOpen.value = true;
        }}
      />
      <a class="item" href="/docs" target="_blank" rel="noopener">
        {texts.nav.manual}
      </a>
      <Button
        class="plain item"
        label={texts.nav.signOut}
        onClick={() => leaveBy(() => void signOut(), { goes: true })}
      />
    </Menu>
  );
}

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const theme = signal<Theme>((always.get('theme') as Theme | undefined) ?? 'system');

function choose(chosen: Theme): void {
  theme.value = chosen;
  always.set('theme', chosen);
  if (chosen === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}
