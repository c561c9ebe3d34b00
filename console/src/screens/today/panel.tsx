/** A part of the first screen: what it is, and the way to all of it. */

import texts from 'messages:page';
import type { ComponentChildren, JSX } from 'preact';

interface PanelProps {
  readonly title: string;
  readonly all: string;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}

export function Panel({ title, all, wide = false, children }: PanelProps): JSX.Element {
  return (
    <section class={`panel-of ${wide ? 'wide' : ''}`} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <a href={all} aria-label={`${texts.record.seeAll}: ${title}`}>
          {texts.record.seeAll}
        </a>
      </header>
      {children}
    </section>
  );
}
