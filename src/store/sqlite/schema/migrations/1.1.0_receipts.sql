-- until 1.2.0: do_not_contact
-- walks
-- alone
-- Repeated requests are answered from the log of changes: copies of records as they were answered go.
DROP TABLE answered;
-- Whom nobody is to contact stands in a register, no_contact, declared in src/features/do-not-contact/declares.ts. A service
-- enters there what do_not_contact has when it starts: that table is kept for one release, so that one before finds it.
