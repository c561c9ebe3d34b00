/** Light, dark, or as the system has it. */
import { signal } from '@preact/signals';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const theme = signal<Theme>((localStorage.getItem('theme') as Theme | null) ?? 'system');

export function choose(chosen: Theme): void {
  theme.value = chosen;
  localStorage.setItem('theme', chosen);
  if (chosen === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}
