/** The list that somebody came from, so that they can go from its one record to the next. */

let walked: { readonly path: string; readonly ids: readonly string[] } | undefined;

export function walkThrough(path: string, ids: readonly string[]): void {
  walked = { path, ids };
}

export function besides(
  path: string,
  id: string,
): { readonly previous?: string; readonly next?: string } {
  if (walked?.path !== path) return {};
  const index = walked.ids.indexOf(id);
  if (index < 0) return {};
  const previous = walked.ids[index - 1];
  const next = walked.ids[index + 1];
  return {
    ...(previous === undefined ? {} : { previous }),
    ...(next === undefined ? {} : { next }),
  };
}
