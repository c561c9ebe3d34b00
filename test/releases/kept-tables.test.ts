/** A table that stays for processes of the release before goes with the release that its migration names. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import about from '../../package.json' with { type: 'json' };
import { keptTables, migrationTexts } from '../../scripts/kept-tables.ts';
import { ownTables } from '../../src/core/objects/tables/all.ts';
import { FIXED_TABLES } from '../../src/store/names.ts';
import { compareReleases } from '../../src/store/records/planner.ts';

for (const store of ['sqlite', 'postgres'] as const)
  describe(`On ${store}`, () => {
    const dropped = migrationTexts(store).flatMap(([, text]) =>
      [...text.matchAll(/^DROP TABLE (\w+);/gm)].map(([, table]) => table),
    );

    for (const { file, until, table } of keptTables(store))
      it(`${table} of ${file} is there before ${until}, and not after`, () => {
        const isOver = compareReleases(about.version, until) >= 0;
        assert.equal(dropped.includes(table), isOver, `drop it in a migration of ${until}`);
        const names: readonly string[] = FIXED_TABLES[store];
        assert.equal(names.includes(table), !isOver, 'its name is taken as long');
      });

    it('a table that was dropped is written nowhere', () => {
      const names: readonly (string | undefined)[] = [
        ...FIXED_TABLES[store],
        ...ownTables.map(({ table }) => table),
      ];
      assert.deepEqual(
        names.filter((name) => dropped.includes(name)),
        [],
      );
    });
  });
