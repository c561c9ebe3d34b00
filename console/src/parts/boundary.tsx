/** Keeps the rest of the page when a screen fails, and shows a sentence in its place. */
import { Component, type ComponentChildren } from 'preact';
import { Failure } from './loading.tsx';

interface BoundaryProps {
  readonly children: ComponentChildren;
}

export class Boundary extends Component<BoundaryProps, { readonly error?: unknown }> {
  static override getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render(): ComponentChildren {
    if (this.state.error === undefined) return this.props.children;
    return <Failure error={this.state.error} />;
  }
}
