export function entryName(source: string): string;
export function threadsOf(project: string): readonly string[];
export function bundle(
  project: string,
  to: string,
  options?: { readonly moves?: boolean; readonly doors?: boolean },
): Promise<readonly string[]>;
