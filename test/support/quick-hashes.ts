/**
 * Lets the services of this process hash passwords in a hundredth of the time in a whole run of tests: hundreds of people
 * sign in there. To be imported before any of them. A test of what hashing costs sets `TEST_HASHES` to `full` meanwhile.
 */
import { syncBuiltinESMExports } from 'node:module';

if (process.env.TEST_HASHES !== undefined) {
  const crypto = process.getBuiltinModule('node:crypto');
  const { argon2 } = crypto;
  crypto.argon2 = (algorithm, parameters, done) => {
    const quick = process.env.TEST_HASHES === 'full' ? {} : { memory: 1_024, passes: 1 };
    argon2(algorithm, { ...parameters, ...quick }, done);
  };
  syncBuiltinESMExports();
}
