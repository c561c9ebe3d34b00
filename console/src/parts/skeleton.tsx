/** A placeholder for what is being loaded; visible only if that takes a while. */

import texts from 'messages:page';
import type { JSX } from 'preact';

export function Skeleton({ rows = 8 }: { readonly rows?: number }): JSX.Element {
  return (
    <div class="skeleton" role="status" aria-label={texts.loading}>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} class="bone" />
      ))}
    </div>
  );
}
