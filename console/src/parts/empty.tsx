/** Nothing to show, and what that means. */
import type { ComponentChildren } from 'preact';
import { Stone } from './icon.tsx';

export interface EmptyProps {
  readonly title: string;
  readonly hint?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function Empty({ title, hint, children }: EmptyProps): JSX.Element {
  return (
    <div class="empty">
      <Stone />
      <p class="what">{title}</p>
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </div>
  );
}
