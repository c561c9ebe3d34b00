/** What features show, loaded after the page. */
import { later } from '../parts/later.tsx';

export const Features = later((seldom) => seldom.Features, null);
