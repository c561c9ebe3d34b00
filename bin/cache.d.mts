export const CACHE: string;
export function fingerprint(paths: readonly string[], ...others: readonly string[]): string;
export function programFolder(): string;
export function testedFolder(): string;
export function removeEarlier(kind: string, latest: string): void;
