/** What a PromQL expression asks for: metrics, and the labels that it picks them by. */

export interface Selector {
  readonly metric: string;
  readonly labels: readonly { readonly name: string; readonly equals: string | undefined }[];
}

/** The selectors of the metrics that a service has: ours, and those of the process and of Node. */
export function selectorsOf(expression: string): readonly Selector[] {
  const found = expression.matchAll(
    /\b((?:ledgerstone|process|nodejs)_[a-z0-9_]+)\b(?:\{([^{}]*)\})?/g,
  );
  return Array.from(found, ([, metric = '', matchers = '']) => ({
    metric,
    labels: Array.from(
      matchers.matchAll(/([a-z_]+)(=~|!=|!~|=)"([^"]*)"/g),
      ([, name = '', operator, value]) => ({ name, equals: operator === '=' ? value : undefined }),
    ),
  }));
}

/** The labels that an expression groups by. */
export function groupingsOf(expression: string): readonly string[] {
  return Array.from(expression.matchAll(/\bby \(([^)]*)\)/g), ([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  ).flat();
}
