/** Looks at files that settings name, in a process of its own. */
import { answerAside } from './aside.ts';
import { namedFilesDisk } from './named-files-disk.ts';

answerAside(namedFilesDisk);
