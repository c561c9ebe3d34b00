/** Fails the first time that it runs in a folder. */
import { failsOnce } from './fails-once.ts';

failsOnce(3);
