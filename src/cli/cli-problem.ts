import type { ExitCode } from '../program/exit-codes.ts';
import { EXIT } from '../program/exit-codes.ts';

/** A problem that is told in its own words: what is wrong and, where there is something, what to do. */
export class CliProblem extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.name = 'CliProblem';
    this.exitCode = exitCode;
  }
}

/** As shells have it after Ctrl-C. */
export const INTERRUPTED = 130;

/** Another program, or whoever sits there, has put an end to it. What there was to say has been said. */
export class ProgramEnded extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`it ended with ${exitCode}`);
    this.name = 'ProgramEnded';
    this.exitCode = exitCode;
  }
}

export const usageProblem = (message: string): CliProblem => new CliProblem(EXIT.usage, message);
