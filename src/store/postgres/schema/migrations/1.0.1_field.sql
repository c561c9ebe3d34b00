-- A store has an identity and counts its backups: declared in src/core/objects/transfer/backup.ts.
-- An index of follow-ups has more columns from now on: it is made again as it is declared.
DROP INDEX IF EXISTS follow_up_record;
