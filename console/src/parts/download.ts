/** Saves a file that the page has. */
export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function csvFile(text: string): Blob {
  return new Blob([text], { type: 'text/csv' });
}
