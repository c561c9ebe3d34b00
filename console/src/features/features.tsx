/** What features show on *Today* and on the page of a record. */
import { FollowUps } from './follow-up/today.tsx';

export type OnScreen = Parameters<typeof FollowUps>[0];

export const Features = (props: OnScreen): JSX.Element => <FollowUps {...props} />;
