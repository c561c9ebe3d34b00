/** The menu of actions on a row of a table. */

import texts from 'messages:page';
import type { JSX } from 'preact';
import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';

interface RowMenuProps {
  /** What the row is about. */
  readonly of: string;
  readonly busy: boolean;
  readonly items: readonly {
    readonly label: string;
    /** Whether it opens a dialog first. */
    readonly asks: boolean;
    /** Whether it takes something away. */
    readonly danger: boolean;
    readonly run: () => void;
  }[];
}

export function RowMenu({ of, busy, items }: RowMenuProps): JSX.Element | null {
  if (items.length === 0) return null;
  return (
    <Menu
      name={`${texts.record.more}: ${of}`}
      label={<Icon name="more" />}
      icon={false}
      class="end"
      floats
    >
      {(close) =>
        items.map(({ label, asks, danger, run }) => (
          <button
            key={label}
            type="button"
            class={`plain item ${danger ? 'danger' : ''}`}
            disabled={busy}
            onClick={() => {
              close();
              run();
            }}
          >
            {label}
            {asks && ' …'}
          </button>
        ))
      }
    </Menu>
  );
}
