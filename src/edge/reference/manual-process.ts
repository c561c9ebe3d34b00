/** The process that makes the manual. */
import { makeManual } from './make.ts';
import { sendMade } from './process-value.ts';

sendMade(makeManual);
