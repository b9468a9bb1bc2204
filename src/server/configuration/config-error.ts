import { PlainError } from '../../lib/errors/plain-error.ts';

/** The settings themselves are wrong. To start again does not help: somebody has to change them. */
export class ConfigError extends PlainError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the configuration is wrong:\n${problems.map(problem => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}
