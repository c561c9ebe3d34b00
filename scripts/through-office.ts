/**
 * Sends the workbooks of a store through an office program and looks whether an import finds every row unchanged:
 *   DATABASE_URL=sqlite:… sh bin/run scripts/through-office.ts
 * It exports, has LibreOffice save each file anew (or openpyxl, where there is no LibreOffice), and imports what that has
 * saved, as a dry run. CI does not run it: it has neither.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LEDGERSTONE = join(import.meta.dirname, '..', 'bin', 'ledgerstone');
const RESAVE = `
import sys, openpyxl
for path in sys.argv[2:]:
    openpyxl.load_workbook(path).save(sys.argv[1] + "/" + path.split("/")[-1])
`;

function isThere(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Has the files saved anew in a folder, and says by whom. */
function saved(files: readonly string[], to: string): string {
  const office = ['soffice', 'libreoffice'].find(isThere);
  if (office !== undefined) {
    const words = ['--headless', '--convert-to', 'xlsx:Calc MS Excel 2007 XML', '--outdir', to];
    execFileSync(office, [...words, ...files], { stdio: 'ignore' });
    return office;
  }
  execFileSync('python3', ['-c', RESAVE, to, ...files], { stdio: 'inherit' });
  return 'openpyxl';
}

function told(...words: string[]) {
  const options = { encoding: 'utf8' } as const;
  try {
    return JSON.parse(execFileSync(LEDGERSTONE, [...words, '--json'], options));
  } catch (error) {
    // Where rows are rejected, the status says so.
    return JSON.parse((error as { readonly stdout: string }).stdout);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-office-'));
try {
  const [ours, theirs] = [join(folder, 'ours'), join(folder, 'theirs')];
  mkdirSync(theirs);
  const { files } = told('export', '--format', 'xlsx', '--out', `${ours}/`);
  const rows = files.reduce((sum: number, one: { readonly rows: number }) => sum + one.rows, 0);
  const by = saved(
    readdirSync(ours).map((name) => join(ours, name)),
    theirs,
  );
  const paths = readdirSync(theirs).map((name) => join(theirs, name));
  const { created, updated, unchanged, failed } = told('import', '--dry-run', ...paths);
  console.log(
    `${by}: ${rows} rows out; in again ${JSON.stringify({ created, updated, unchanged, failed })}`,
  );
  if (unchanged !== rows) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
