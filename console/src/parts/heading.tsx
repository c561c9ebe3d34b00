/** The head of a screen: what it is, and what can be done. */
import { page as texts } from 'messages';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { IconButton } from './icon.tsx';

interface HeadingProps {
  readonly title: string;
  readonly about?: ComponentChildren;
  /** Above the title: the way here. */
  readonly way?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function Heading({ title, about, way, children }: HeadingProps): JSX.Element {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
  return (
    <header class="heading">
      <div>
        {way !== undefined && <p class="way hint">{way}</p>}
        <h1 tabIndex={-1}>{title}</h1>
        {about !== undefined && <p class="about">{about}</p>}
      </div>
      {children !== undefined && <div class="actions">{children}</div>}
    </header>
  );
}

/** Reads again what the screen shows. */
export function Reload({ onReload }: { readonly onReload: () => void }): JSX.Element {
  return <IconButton class="reload" icon="again" label={texts.list.refresh} onClick={onReload} />;
}
