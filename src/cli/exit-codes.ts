import type { ExitCode } from '../program/exit-codes.ts';
import { EXIT } from '../program/exit-codes.ts';

export type { ExitCode };
export { EXIT };

/** A problem that is told in its own words: what is wrong and, where there is something, what to do. */
export class CliProblem extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.name = 'CliProblem';
    this.exitCode = exitCode;
  }
}

/** Another program has ended, and we end as it did. It has said itself what there was to say. */
export class ProgramEnded extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`a program ended with ${exitCode}`);
    this.name = 'ProgramEnded';
    this.exitCode = exitCode;
  }
}

export const usageProblem = (message: string): CliProblem => new CliProblem(EXIT.usage, message);
