/** A menu of what can be done: links, and buttons that may ask first. */

import { page as texts } from 'messages';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';

export interface MenuAct {
  readonly label: string;
  /** Where it leads, or what it does. */
  readonly href?: string;
  readonly run?: () => void;
  /** Whether it asks before it does anything. */
  readonly asks?: boolean;
  /** Whether it takes something away. */
  readonly danger?: boolean;
  /** Whether this person may do it. */
  readonly may?: boolean;
}

interface ActMenuProps {
  /** What it is about, where there are several. */
  readonly of?: string;
  readonly busy?: boolean;
  readonly acts: readonly MenuAct[];
}

export function ActMenu({ of, busy = false, acts }: ActMenuProps): JSX.Element | null {
  const shown = acts.filter(({ may = true }) => may);
  if (shown.length === 0) return null;
  return (
    <Menu
      name={of === undefined ? texts.more : `${texts.more}: ${of}`}
      label={<Icon name="more" />}
      icon={false}
      class="end"
      floats={of !== undefined}
    >
      {shown.map(({ label, href, run, asks, danger }) => {
        const own = `item ${danger ? 'danger' : ''}`;
        const text = asks ? `${label} …` : label;
        return href === undefined ? (
          <Button key={label} class={`plain ${own}`} label={text} disabled={busy} onClick={run} />
        ) : (
          <a key={label} class={own} href={href}>
            {text}
          </a>
        );
      })}
    </Menu>
  );
}
