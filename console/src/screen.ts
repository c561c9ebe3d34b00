/** The definition of a screen. */
import type { ComponentType } from 'preact';
import type { Session } from './service/session.ts';

export interface ScreenProps {
  /** The first part of the path. */
  readonly path: string;
  /** The parts behind it. */
  readonly rest: readonly string[];
}

/** One object of a screen: at the path of the screen, and its identifier. */
export interface OneProps {
  readonly path: string;
  readonly id: string;
}

export interface ScreenEntry {
  /** The first part of the path; `''` for the first screen. */
  readonly path: string;
  readonly title: string;
  readonly group: 'home' | 'records' | 'people' | 'more' | 'integration' | 'hidden';
  readonly icon: string;
  /** After `g`. */
  readonly letter?: string;
  /** Whether it is there for this person. */
  readonly visible?: (session: Session) => boolean;
  readonly component: ComponentType<ScreenProps>;
}
