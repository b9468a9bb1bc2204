/** How the program ends, for scripts. They never change. */
export const EXIT = {
  done: 0,
  /** An operation, or something else that was waited for, has failed. */
  failed: 1,
  /** The command itself is not as it should be. */
  usage: 2,
  /** No server answers, or none can at the moment. */
  unreachable: 3,
  /** The service refuses it. */
  refused: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

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
