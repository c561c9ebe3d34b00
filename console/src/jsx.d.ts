/** Names the elements of Preact in every file. */
import type { JSX as Preact } from 'preact';

declare global {
  namespace JSX {
    type Element = Preact.Element;
  }
}
