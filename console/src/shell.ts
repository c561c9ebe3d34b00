/**
 * The frame as it stands before the page's script is there, made by the service: what `Navigation` draws before it is
 * known who is signed in.
 */
import type { page } from 'messages';
import type { DescribedResource } from '../build/describe.ts';
import { pathOf, STONE } from './parts/icon-paths.ts';
import { inOrder } from './records/order.ts';

const BONES = 12;

export type ShellTexts = Pick<typeof page, 'product' | 'menu' | 'nav'>;

export function shellOf(resources: readonly DescribedResource[], texts: ShellTexts): string {
  const home = [entry('', texts.nav.today, 'today'), entry('find', texts.nav.find)];
  const records = inOrder(resources)
    .filter(({ parent }) => parent !== undefined)
    .map(({ path, plural }) => entry(path, plural))
    .concat(entry('proposals', texts.nav.proposals))
    .concat(entry('removed', texts.nav.removed));
  return `<div class="frame"><header class="side"><div class="brand"><button type="button" class="plain square opener" popovertarget="nav" aria-label="${texts.menu}">${icon('menu')}</button><a href="/console/">${stone()}<span>${texts.product}</span></a><a class="button plain square seek" href="/console/find" aria-label="${texts.nav.find}">${icon('find')}</a></div><nav id="nav" popover="auto" aria-label="${texts.nav.label}"><div class="screens"><div class="group"><ul>${home.join('')}</ul></div><div class="group"><h2>${texts.nav.records}</h2><ul>${records.join('')}</ul></div></div></nav></header><main id="content" tabindex="-1"><div class="skeleton">${'<span class="bone"></span>'.repeat(BONES)}</div></main></div>`;
}

function entry(path: string, title: string, name = path): string {
  return `<li><a href="/console/${path}">${icon(name)}${escaped(title)}</a></li>`;
}

function icon(name: string): string {
  return `<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="${pathOf(name)}"/></svg>`;
}

function stone(): string {
  return `<svg class="stone" viewBox="0 0 24 24" aria-hidden="true"><path d="${STONE.shape}"/><path class="lettering" d="${STONE.lettering}"/></svg>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
