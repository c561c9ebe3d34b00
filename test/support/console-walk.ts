/**
 * Every screen of the console, from the entries that the console itself has and from the resources: tests walk through
 * them. A screen is walked at its path. Where something has to be there before it is seen, or it is seen at another
 * address as well, `walk.ts` of its feature in `test/features/` says so, or `ownWalks` for the others.
 */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { describe } from '../../console/build/describe.ts';
import { described } from '../../console/build/language.ts';
import { entries, isSeen } from '../../console/src/entries.ts';
import type { Entry } from '../../console/src/entry.ts';
import { resources } from '../../src/core/resources/index.ts';
import { rightsByName } from '../../src/records/auth/principal.ts';
import { administrator, signedIn } from './console.ts';
import type { Made } from './console-records.ts';
import { messagesOf } from './console-texts.ts';
import type { Service } from './service.ts';
import { until } from './until.ts';

/** A look at a screen. */
export interface Walk {
  /** The path of the screen. */
  readonly screen: string;
  /** Tells it from the others of that screen. */
  readonly name?: string;
  /** Behind the path: `/` and the identifier of an object, or a query. */
  readonly at?: string;
  /** A part of the page that is there once it is filled: the name of a message, such as `feeds.refusals`, or a text. */
  readonly ready?: string;
  /** Only administrators are shown that. */
  readonly ofAdministrators?: true;
}

/** A service with the records of a small group, and somebody who has every right. */
export interface WalkGround {
  readonly service: Service;
  readonly made: Made;
  readonly officer: Awaited<ReturnType<typeof administrator>>;
}

/** Exported as `walks` by `walk.ts` of a feature: it makes what is to be seen there. */
export type MakeWalks = (ground: WalkGround) => Promise<readonly Walk[]>;

/** No screen is there. */
const NOWHERE = 'nothing';

/** Walks of screens of records, and of those of the core. */
async function ownWalks({ service, made }: WalkGround): Promise<readonly Walk[]> {
  await service.json('/v1/events/upsert', { event_name: 'Refused' });
  const record = { screen: 'events', at: `/${made.event}` };
  const ofAdministrators = true;
  return [
    { screen: '', ready: 'page.today.servicesToday' },
    { screen: 'events', ready: 'Jane Doe' },
    { screen: 'events', at: '?external_identifier=none', ready: 'page.list.nothingMatches' },
    { screen: 'events', at: '?order=nothing', ready: 'page.failure.again', name: 'refused' },
    { ...record, ready: 'Ella Frost', name: 'a record' },
    { ...record, at: `${record.at}?tab=history`, ready: 'record.version', name: 'its history' },
    { ...record, at: `${record.at}?tab=json`, ready: '"full_name": "Jane Doe"', ofAdministrators },
    { ...record, at: `${record.at}?tab=curl`, ready: 'curl -u', ofAdministrators },
    { screen: 'events', at: '/evt_nothing', ready: 'page.record.gone' },
    { screen: 'event_check_in_records', ready: 'Ella Frost' },
    { screen: 'locations', ready: 'Riverside Chapel' },
    { screen: 'direct_mail_replies', at: '?view=cards', ready: 'images.image' },
    { screen: 'feeds', ready: 'feeds.refusals' },
    { screen: 'requests', ready: 'parameter_missing' },
    { screen: 'signed_in', ready: 'entry.signIn.back' },
    { screen: NOWHERE, ready: 'page.failure.missing' },
  ];
}

/** One look, by somebody who may. */
export interface Step {
  readonly name: string;
  /** Below `/console/`. */
  readonly path: string;
  /** Whether its first row is there, though more may be on its way. */
  readonly begun: (page: Page) => Promise<boolean>;
  /** Waits until it is there, and nothing is being loaded any more. */
  readonly ready: (page: Page, language?: string) => Promise<void>;
  readonly person: WalkGround['officer'] | Awaited<ReturnType<typeof signedIn>>;
}

/** Makes what is to be seen, and gives a look at each screen that the console has. Throws where nobody may see one. */
export async function wholeWalk({ service, made }: Omit<WalkGround, 'officer'>) {
  const people = [
    await signedIn(service),
    await administrator(service),
    await administrator(service, 'everything@example.com', undefined, rightsByName),
  ] as const;
  const ground = { service, made, officer: people[2] };
  const walks = [...(await ownWalks(ground))];
  for (const file of globSync('../features/*/walk.ts', { cwd: import.meta.dirname }).sort())
    walks.push(...(await ((await import(file)) as { walks: MakeWalks }).walks(ground)));
  const others = [...resources.map(({ path }) => path), NOWHERE];
  const screens: readonly Pick<Entry, 'path' | 'right' | 'isFor'>[] = [
    ...entries,
    ...others.map((path) => ({ path })),
  ];
  for (const { screen } of walks)
    assert.ok(
      screens.some(({ path }) => path === screen),
      `There is no screen ${screen}.`,
    );
  return screens.flatMap((entry): Step[] => {
    const { path } = entry;
    const own = walks.filter(({ screen }) => screen === path);
    return (own.length === 0 ? [{ screen: path }] : own).map((walk: Walk) => {
      const person = people.find(
        ({ session }) =>
          isSeen(entry, session) && (!walk.ofAdministrators || session.may_administer),
      );
      assert.ok(person, `Nobody here may see the screen ${path}.`);
      return {
        name: [path || 'today', walk.name ?? walk.ready].filter(Boolean).join(', '),
        path: `${path}${walk.at ?? ''}`,
        person,
        ready: (page, language = 'en') => isThere(page, language, walk),
        begun: (page) => hasBegun(page, walk),
      };
    });
  });
}

async function isThere(page: Page, language: string, { screen, ready }: Walk): Promise<void> {
  const main = page.getByRole('main');
  if (ready === undefined) {
    const name = titleOf(screen, language);
    const heading = main.getByRole('heading', { level: 1, name, exact: true });
    await heading.waitFor().catch((cause) => {
      const why = 'If it needs an address or something to show, walk.ts of its feature says so.';
      throw new Error(`The screen "${screen}" is not there as "${name}". ${why}`, { cause });
    });
  } else await main.getByText(textOf(ready, language)).locator('visible=true').first().waitFor();
  await until(async () => (await main.locator('.skeleton').count()) === 0);
  if (ready === undefined)
    assert.equal(await main.locator('.failure').locator('visible=true').count(), 0, screen);
}

/** Of a record, what it holds is first: others that belong to it stand below. */
async function hasBegun(page: Page, { ready }: Walk): Promise<boolean> {
  const main = page.getByRole('main');
  const isSeen = (of: Locator): Promise<boolean> => of.locator('visible=true').first().isVisible();
  if (ready !== undefined)
    return (
      (await isSeen(main.locator('article dl'))) || isSeen(main.getByText(textOf(ready, 'en')))
    );
  return (await isSeen(main.locator('h1'))) && (await main.locator('.skeleton').count()) === 0;
}

/** A screen is called as in the menu. */
function titleOf(path: string, language: string): string {
  const named = messagesOf(language).get(`page.nav.${path || 'today'}`);
  const plurals = described(describe(resources), language).resources;
  return named ?? plurals.find((one) => one.path === path)?.plural ?? `a name for ${path}`;
}

/** A message as it stands there with any values, or the text itself. */
function textOf(ready: string, language: string): string | RegExp {
  const message = messagesOf(language).get(ready);
  if (message === undefined) return ready;
  return new RegExp(
    message
      .split(/\{\w+\}/)
      .map((part) => RegExp.escape(part))
      .join('.+'),
  );
}
