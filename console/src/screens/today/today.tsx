/** The first screen: what staff need this morning. */
import type { JSX } from 'preact';
import { Heading } from '../../parts/heading.tsx';
import { texts } from '../../texts.ts';
import { longDayText } from '../../values/format.ts';

export function TodayScreen(): JSX.Element {
  return <Heading title={texts.nav.today} about={longDayText(new Date())} />;
}
