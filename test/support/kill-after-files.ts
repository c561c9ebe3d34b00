/** As `kill-after.ts`, which it begins with: whatever changes files or folders is a step, too. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { after, step } from './kill-after.ts';

/** All of the module that change something, so that none that the program begins to use is left out. */
const CHANGING =
  /^(?:chmod|chown|copyFile|fchmod|fchown|fdatasync|fsync|ftruncate|lchown|link|mkdir|mkdtemp|rename|rm|rmdir|symlink|truncate|unlink|utimes|write|writeFile|writev)(?:Sync)?$/;
/** The file in which steps are counted is written with it. */
const OWN = 'writeSync';

for (const methods of [fs, fs.promises])
  for (const name of Object.keys(methods))
    if (CHANGING.test(name) && (methods === fs.promises || name.endsWith('Sync')) && name !== OWN)
      after(methods, name, step);
syncBuiltinESMExports();
