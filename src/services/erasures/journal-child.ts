/** Looks at the disk of a copy of the journal, in a process of its own. */
import { answerAside } from '../aside.ts';
import { journalDisk } from './journal-disk.ts';

answerAside(journalDisk);
