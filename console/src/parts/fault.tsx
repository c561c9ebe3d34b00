/** A message about a fault, above the part that it concerns. */
import type { JSX } from 'preact';

export function Fault({ says }: { readonly says: string | undefined }): JSX.Element | null {
  if (says === undefined) return null;
  return (
    <p class="fault" role="alert">
      {says}
    </p>
  );
}
