export function entryName(source: string): string;
export function bundle(
  project: string,
  to: string,
  options?: { readonly moves?: boolean },
): Promise<readonly string[]>;
