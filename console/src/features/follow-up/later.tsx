/** Follow-ups of a record, or those of today, for who has the right. */
import { later } from '../../parts/later.tsx';

export const FollowUps = later((seldom) => seldom.FollowUps, null);
