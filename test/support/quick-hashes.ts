/**
 * Lets the services of this process hash passwords in a hundredth of the time in a whole run of tests: hundreds of people
 * sign in there. To be imported before any of them.
 */
import { syncBuiltinESMExports } from 'node:module';

if (process.env.TEST_HASHES !== undefined) {
  const crypto = process.getBuiltinModule('node:crypto');
  const { argon2 } = crypto;
  crypto.argon2 = (algorithm, parameters, done) => {
    argon2(algorithm, { ...parameters, memory: 1_024, passes: 1 }, done);
  };
  syncBuiltinESMExports();
}
