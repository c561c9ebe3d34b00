export function entryName(source: string): string;
export function bundle(project: string, to: string): Promise<void>;
