import { spawn } from 'node:child_process';
import path from 'node:path';
import type { ExitResult } from '../programs/process.ts';
import { PROJECT, RunningProgram } from '../programs/process.ts';
import { createTempFolder } from '../temp-folders.ts';

const VITEST = path.join(PROJECT, 'node_modules/vitest/dist/node.js');

export interface VitestRun extends ExitResult {
  readonly output: string;
}

/**
 * Runs test files, which use the globals of vitest, in another process. `options` is the source code of the options of
 * vitest. It can use `root`, the folder of the files, and `load`, which imports a module of this folder.
 */
export async function runVitest(
  files: Readonly<Record<string, string>>,
  options: string,
  filters: readonly string[] = [],
): Promise<VitestRun> {
  const temporary = createTempFolder(files);
  const script = `
    import { startVitest } from '${VITEST}';
    const load = name => import('${import.meta.dirname}/' + name);
    const root = '${temporary.folder}';
    const options = ${options};
    const vitest = await startVitest('test', ${JSON.stringify(filters)}, {
      root, config: false, watch: false, globals: true, isolate: false, maxWorkers: 1, ...options,
    });
    await vitest.close();`;
  try {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: temporary.folder,
      env: { ...process.env, NO_COLOR: '1' },
    });
    const program = new RunningProgram(child);
    const result = await program.ended;
    return { ...result, output: program.stdout + program.stderr };
  } finally {
    temporary.remove();
  }
}
