/** The definition of a screen. */
import type { ComponentType } from 'preact';
import type { Entry } from './entry.ts';

export interface ScreenProps {
  /** The first part of the path. */
  readonly path: string;
  /** The parts behind it. */
  readonly rest: readonly string[];
  /** Its name in the menu. */
  readonly title: string;
}

/** One object of a screen: at the path of the screen, and its identifier. */
export interface OneProps {
  readonly path: string;
  readonly id: string;
}

/** Screens by their paths. */
export type Screens<Path extends string = string> = Readonly<
  Record<Path, ComponentType<ScreenProps>>
>;

export interface ScreenEntry extends Omit<Entry, 'script'> {
  readonly title: string;
  readonly icon: string;
  readonly component: ComponentType<ScreenProps>;
  /** Loads its script; without, it is in the first one. */
  readonly loaded?: () => Promise<unknown>;
}
