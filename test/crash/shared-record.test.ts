/** Many connections patch one record at once: nothing is lost, and one record is made (decisions, "Merge"). */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ARRANGEMENTS, arrangement } from '../support/cli-load.ts';
import { ownFolder } from '../support/cli-program.ts';
import { connect } from '../support/cli-request.ts';
import { startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';

const CONNECTIONS = 32;
const PATCHES = 15;

it('patches of one record that arrive together are all merged into one record', async (t) => {
  const cwd = ownFolder(t);
  const { account, secret } = await makeAccount(cwd);
  const { url } = await startProcess(t, { cwd });
  const location = await makeLocation(url, secret, account);
  const expected: Record<string, number> = {};
  const outcomes: Record<string, number> = {};
  const identifiers = new Set<string>();

  const patch = async (connection: number): Promise<void> => {
    const own = connect(url, secret, 1);
    for (let count = 0; count < PATCHES; count++) {
      const key = `connection-${connection}-${count}`;
      expected[key] = count;
      const { headers, status, text } = await own.upsert(
        ARRANGEMENTS,
        arrangement(location, 'shared', { [key]: count }),
      );
      assert.equal(status, 200, text);
      const record = JSON.parse(text) as {
        unique_identifier: string;
        additional_data: Record<string, number>;
      };
      assert.equal(record.additional_data[key], count, 'the answer holds what was sent');
      identifiers.add(record.unique_identifier);
      const outcome = String(headers['ledgerstone-outcome']);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    own.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, connection) => patch(connection)));

  assert.equal(identifiers.size, 1);
  assert.deepEqual(outcomes, { created: 1, updated: CONNECTIONS * PATCHES - 1 });
  const last = connect(url, secret, 1);
  const answer = await last.upsert(ARRANGEMENTS, arrangement(location, 'shared'));
  last.close();
  assert.equal(answer.headers['ledgerstone-outcome'], 'unchanged');
  const { additional_data } = JSON.parse(answer.text) as { additional_data: object };
  assert.deepEqual(additional_data, expected);
});
