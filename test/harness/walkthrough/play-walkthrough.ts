import type { Argv } from '../../../src/domain/command.ts';
import { DocumentShell } from './document-shell.ts';
import { missingLine } from './missing-line.ts';
import type { WalkthroughStep } from './read-walkthrough.ts';
import { readWalkthrough } from './read-walkthrough.ts';

/** The first build of a system may take some minutes on a slow machine. */
const STEP_MS = 600_000;

interface Options {
  /** What runs a bash that reads its commands from the standard input. */
  readonly shell: Argv;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  onStep?(step: WalkthroughStep, tookMs: number): void;
}

/** Runs the commands of a document as they are there, and throws at the first that ends badly or prints something else than is shown. */
export async function playWalkthrough(text: string, { shell, cwd, env, onStep }: Options): Promise<void> {
  const bash = new DocumentShell(shell, { cwd, env });
  try {
    for (const step of readWalkthrough(text)) {
      const begun = performance.now();
      const { output, failed } = await bash.run(step.script, STEP_MS);
      const missing = missingLine(step.shown, output);
      const problem =
        failed !== ''
          ? `this failed: ${failed}`
          : missing !== undefined && `this was not printed: ${missing}`;
      if (problem) throw new Error(`line ${step.line}:\n${step.script}\n\n${problem}\n\n${output}`);
      onStep?.(step, performance.now() - begun);
    }
  } finally {
    await bash.end();
  }
}
