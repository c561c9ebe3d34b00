/** Gives refusals their words. In each bundle they are those of its language: see `console/build/bundle.ts`. */
import { people } from './people.ts';
import { setWording } from './refusals.ts';
import { refusalsIn } from './translated-refusals.ts';

setWording(refusalsIn({ codes: {}, terms: {}, or: ', ', labels: {} }, people));
