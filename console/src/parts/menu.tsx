/** Buttons with a panel below them; Escape, a choice in it and a click elsewhere close it. */
import { page as texts } from 'messages';
import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { labelled } from '../values/format.ts';
import { Button, Icon } from './button.tsx';

interface MenuProps {
  readonly label: ComponentChildren;
  /** What it is called where the label says too little. */
  readonly name?: string;
  readonly class?: string;
  readonly icon?: boolean;
  /** Stands above what scrolls around it, such as a table. */
  readonly floats?: boolean;
  /** The panel. What is chosen or sent in it closes it, except an item that is `stays` and what is refused before it is sent. */
  readonly children: ComponentChildren;
}

export function Menu(props: MenuProps): JSX.Element {
  const { label, name, class: own = '', icon = true, floats = false, children } = props;
  const details = useRef<HTMLDetailsElement>(null);
  const close = (): void => {
    if (details.current === null) return;
    details.current.open = false;
    details.current.querySelector('summary')?.focus();
  };
  // What cannot be sent as it was typed stays there, and says why.
  const sent = (): void => {
    setTimeout(() => {
      if (details.current?.querySelector('[aria-invalid="true"]') === null) close();
    });
  };
  useEffect(() => {
    const leave = ({ target }: Event): void => {
      const shown = details.current;
      if (shown?.open && target instanceof Node && !shown.contains(target)) shown.open = false;
    };
    const ended = new AbortController();
    const { signal } = ended;
    document.addEventListener('pointerdown', leave, { signal });
    document.addEventListener('focusin', leave, { signal });
    // It stands where its button was.
    if (floats) document.addEventListener('scroll', leave, { signal, capture: true });
    return () => ended.abort();
  }, []);
  return (
    <details
      ref={details}
      class={`menu ${own}`}
      onToggle={({ currentTarget }) => floats && place(currentTarget)}
      // Before what it does, so that a dialog gives the focus back to the button.
      onClickCapture={({ target }) => {
        if (target instanceof Element && target.closest('.item:not(.stays)') !== null) close();
      }}
      onSubmitCapture={sent}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !details.current?.open) return;
        event.stopPropagation();
        close();
      }}
    >
      <summary aria-label={name}>
        {label}
        {icon && <Icon name="down" />}
      </summary>
      <div class="panel">{children}</div>
    </details>
  );
}

/** Below its button, or above where it does not fit. */
function place(menu: HTMLDetailsElement): void {
  const panel = menu.querySelector<HTMLElement>(':scope > .panel');
  if (!menu.open || panel === null) return;
  const { top, bottom, right } = menu.getBoundingClientRect();
  const room = innerHeight - bottom;
  const y = room < panel.offsetHeight + 8 ? Math.max(8, top - panel.offsetHeight - 4) : bottom + 4;
  Object.assign(panel.style, {
    position: 'fixed',
    minWidth: 0,
    inset: `${y}px ${document.documentElement.clientWidth - right}px auto auto`,
  });
}

interface MenuAct {
  readonly label: string;
  readonly href?: string;
  readonly run?: () => void;
  readonly asks?: boolean;
  /** Whether it takes something away. */
  readonly danger?: boolean;
  readonly may?: boolean;
  /** What it and those after it have in common. */
  readonly under?: string;
}

interface ActMenuProps {
  readonly of?: string;
  readonly busy?: boolean;
  readonly acts: readonly MenuAct[];
}

/** What can be done: links, and buttons that may ask first. */
export function ActMenu({ of, busy = false, acts }: ActMenuProps): JSX.Element | null {
  const shown = acts.filter(({ may = true }) => may);
  if (shown.length === 0) return null;
  return (
    <Menu
      name={of === undefined ? texts.more : labelled(texts.more, of)}
      label={<Icon name="more" />}
      icon={false}
      class="end"
      floats={of !== undefined}
    >
      {shown.map(({ label, href, run, asks, danger, under }, at) => {
        const own = `item ${danger ? 'danger' : ''}`;
        const text = asks ? `${label} …` : label;
        return (
          <Fragment key={label}>
            {under !== undefined && under !== shown[at - 1]?.under && <p class="quiet">{under}</p>}
            {href === undefined ? (
              <Button class={`plain ${own}`} label={text} disabled={busy} onClick={run} />
            ) : (
              <a class={own} href={href}>
                {text}
              </a>
            )}
          </Fragment>
        );
      })}
    </Menu>
  );
}
